import { useState } from 'preact/hooks';
import { useLoaded, useRested } from '../../lib/hooks.ts';
import { type LakeFilter, listCollections, search } from '../../lib/lake/lake.ts';
import { useUploads } from '../../lib/lake/uploads.ts';
import { t } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';
import { DropZone } from './drop-zone.tsx';
import { Hits } from './hits.tsx';
import { MemoryList } from './memory-list.tsx';
import { UploadList } from './upload-list.tsx';

/** Files in, search, and the list; narrowed to a collection or a tag where one is chosen. */
export function Documents({ query }: { query: URLSearchParams }) {
  const [words, setWords] = useState(query.get('q') ?? '');
  const [round, setRound] = useState(0);
  const [collection, setCollection] = useState(query.get('collection') ?? '');
  const [tag, setTag] = useState(query.get('tag') ?? '');
  const renew = () => setRound((now) => now + 1);
  const uploads = useUploads(renew, collection);
  const collections = useLoaded(listCollections, [round], { keepsValue: true }).value ?? [];
  // A link may name a collection before the list has come, or one that is gone: the choice shows it all the same.
  const isListed = collections.some(({ name }) => name === collection);
  const rested = useRested(words.trim(), 180);
  const restedTag = useRested(tag.trim(), 180);
  const filter: LakeFilter = { ...(collection && { collection }), ...(restedTag && { tags: [restedTag] }) };
  const keys = [round, collection, restedTag];
  const found = useLoaded(async (signal) => (rested ? search(rested, filter, signal) : undefined), [rested, ...keys]);
  return (
    <>
      <DropZone onFiles={uploads.take}>
        {collection && <p class="hint">{t('They go into the collection “{collection}”.', { collection })}</p>}
      </DropZone>
      <UploadList uploads={uploads.uploads} onRetry={uploads.retry} />
      <div class="filters lake-search">
        <label>
          {t('Search your files')}
          <input
            type="search"
            placeholder={t('A question, or a few words')}
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
          />
        </label>
        {(collections.length > 1 || collection) && (
          <label class="choice">
            {t('Collection')}
            <select value={collection} onChange={(event) => setCollection(event.currentTarget.value)}>
              <option value="">{t('all')}</option>
              {collection && !isListed && <option value={collection}>{collection}</option>}
              {collections.map(({ name, num_memories: count }) => (
                <option key={name} value={name}>
                  {name} ({count})
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="choice">
          {t('Tag')}
          <input
            type="search"
            placeholder={t('any')}
            value={tag}
            onInput={(event) => setTag(event.currentTarget.value)}
          />
        </label>
      </div>
      {found.error && (
        <Failure error={found.error} next={t('The search failed; this does not mean that nothing was found.')} />
      )}
      {rested && found.value ? (
        <Hits answer={found.value} words={rested} />
      ) : (
        <MemoryList keys={keys} filter={filter} />
      )}
    </>
  );
}
