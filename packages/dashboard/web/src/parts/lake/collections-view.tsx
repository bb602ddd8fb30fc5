import { useCallback, useEffect, useState } from 'preact/hooks';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { type Collection, listCollections, listMemories } from '../../lib/lake/lake.ts';
import { ask } from '../../lib/mcp.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { Failure, Loading } from '../states.tsx';

interface Folder {
  readonly path: string;
  readonly collection?: string;
  readonly state: 'starting' | 'reading' | 'in_step' | 'away';
  readonly num_files: number;
  readonly num_refused: number;
}

const MOST = 500;
const AGAIN_MS = 3_000;

/** How the documents are grouped: collections, tags, and the folders that the lake follows. */
export function CollectionsView() {
  const collections = useLoaded(listCollections, [], { keepsValue: true });
  return (
    <>
      {collections.error && <Failure error={collections.error} />}
      {!collections.value && !collections.error && <Loading what={t('the collections')} />}
      {collections.value && (
        <section class="card" aria-label={t('Collections')}>
          <h2>{t('Collections')}</h2>
          <ul class="clients">
            {collections.value.map((collection) => (
              <CollectionRow key={collection.name} collection={collection} onSaved={collections.reload} />
            ))}
          </ul>
          <p class="hint">
            {t(
              'Every document is in one. A document gets another when it is opened, under “Edit”, or when it is dropped while that collection is chosen.',
            )}
          </p>
        </section>
      )}
      <Tags />
      <Folders />
    </>
  );
}

function CollectionRow({ collection, onSaved }: { collection: Collection; onSaved: () => void }) {
  const { name, description, num_memories: count } = collection;
  const [text, setText] = useState<string>();
  const act = useCallback(
    async (signal: AbortSignal, next: string) => {
      await ask('update_collection', { name, description: next }, { signal });
      setText(undefined);
      onSaved();
    },
    [name],
  );
  const save = useAction(act);
  return (
    <li>
      <div>
        <a href={`#/lake?${new URLSearchParams({ collection: name })}`}>
          <strong>{name}</strong>
        </a>{' '}
        <span class="hint">{plural(count, 'document')}</span>
        {text === undefined ? (
          <p class="hint">
            {description || t('Not described yet. A description helps assistants to choose where to search.')}
          </p>
        ) : (
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              void save.run(text);
            }}
          >
            <label>
              {t('What {name} holds', { name })}
              <input maxLength={1_000} value={text} onInput={(event) => setText(event.currentTarget.value)} />
            </label>
            <button type="submit" class="primary" disabled={save.isRunning}>
              {t('Save')}
            </button>
          </form>
        )}
        {save.error && <Failure error={save.error} />}
      </div>
      <button type="button" onClick={() => setText(text === undefined ? description : undefined)}>
        {text === undefined ? t('Describe') : t('Cancel')}
        <span class="hidden"> {name}</span>
      </button>
    </li>
  );
}

/** The tags of the documents, the most used first. */
function Tags() {
  const memories = useLoaded((signal) => listMemories(0, MOST, signal), []);
  if (!memories.value) return null;
  const counts = new Map<string, number>();
  for (const tag of memories.value.memories.flatMap(({ tags = [] }) => tags))
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tags = [...counts].sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
  return (
    <section class="card" aria-label={t('Tags')}>
      <h2>{t('Tags')}</h2>
      {tags.length === 0 && (
        <p class="hint">{t('No document has a tag. Tags are given when a document is opened, under “Edit”.')}</p>
      )}
      <p class="tags">
        {tags.map(([tag, count]) => (
          <a class="tag" key={tag} href={`#/lake?${new URLSearchParams({ tag })}`}>
            #{tag} <span class="hint">{count}</span>
          </a>
        ))}
      </p>
      {memories.value.n > MOST && <p class="hint">{t('Of the first {most} documents.', { most: MOST })}</p>}
    </section>
  );
}

const STATES: Readonly<Record<Folder['state'], { label: string; tone: string }>> = {
  starting: { label: t('starting'), tone: 'warn' },
  reading: { label: t('being read'), tone: 'warn' },
  in_step: { label: t('synchronised'), tone: 'good' },
  away: { label: t('away'), tone: 'bad' },
};

/** Folders that the lake follows, with their state now. */
function Folders() {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setRound((now) => now + 1), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  const about = useLoaded(
    async (signal) =>
      (await ask<{ result: { folders?: Folder[] } }>('get_memorylake_metadata', {}, { signal })).result.folders ?? [],
    [round],
    { keepsValue: true },
  );
  if (!about.value) return about.error ? <Failure error={about.error} /> : null;
  return (
    <section class="card" aria-label={t('Synchronised folders')}>
      <h2>{t('Synchronised folders')}</h2>
      {about.error && <Failure error={about.error} />}
      {about.value.length === 0 && (
        <p class="hint">
          {tx(
            'None. With {value} in the configuration, files of a folder are added, changed and removed here as they are there.',
            { value: <code>{'"servers": {"memorylake": {"folders": [{"path": "~/Documents"}]}}'}</code> },
          )}
        </p>
      )}
      <ul class="clients">
        {about.value.map(({ path, collection, state, num_files: files, num_refused: refused }) => (
          <li key={path}>
            <div>
              <code>{path}</code>
              <p class="hint">
                {plural(files, 'document')}
                {refused > 0 && t(', {files} that could not be taken', { files: plural(refused, 'file') })}
                {collection && t(', in {collection}', { collection })}
                {state === 'away' &&
                  `. ${t('The folder cannot be read now; none of its files were removed from the lake')}`}
              </p>
            </div>
            <span class={`tag ${STATES[state].tone}`}>{STATES[state].label}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
