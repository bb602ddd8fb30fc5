import { useCallback, useState } from 'preact/hooks';
import { bytes } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks.ts';
import { type Memory, type Place, tagsOf } from '../../lib/lake/lake.ts';
import { noteLink } from '../../lib/lake/notes.ts';
import { ask } from '../../lib/mcp.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';

interface Props {
  readonly memory: Memory;
  /** What of it is shown. */
  readonly place: Place;
  readonly onChanged: () => void;
}

/** What is known of a document, and a form for its name, collection and tags. */
export function MemoryFacts({ memory, place, onChanged }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { id, name, collection, tags = [], size_bytes: size, num_chunks: chunks } = memory;
  const { num_tables: tables, num_figures: figures } = memory;
  const remove = async () => {
    if (!confirm(t('Delete "{name}" from the lake? The original file stays where it is.', { name }))) return;
    await ask('delete_memory', { memory_ids: [id] });
    location.hash = '#/lake';
  };
  return (
    <>
      <header class="document-head">
        <h2>{name}</h2>
        <div class="actions">
          {memory.status === 'ready' && (
            <a class="button" href={noteLink(memory, place)}>
              {t('Make a note')}
            </a>
          )}
          <button type="button" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
            {t('Edit')}
          </button>
          <button type="button" class="danger" onClick={() => void remove()}>
            {t('Delete from the lake')}
          </button>
        </div>
      </header>
      <p class="tags">
        <span class="hint">
          {[
            size !== undefined && bytes(size),
            chunks ? plural(chunks, 'part') : '',
            tables ? plural(tables, 'table') : '',
            figures ? plural(figures, 'figure') : '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {collection && (
          <a class="tag" href={`#/lake?${new URLSearchParams({ collection })}`}>
            {t('in {collection}', { collection })}
          </a>
        )}
        {tags.map((tag) => (
          <a class="tag" key={tag} href={`#/lake?${new URLSearchParams({ tag })}`}>
            #{tag}
          </a>
        ))}
        {tables ? <a href={linkTo('lake', 'tables')}>{t('Query its tables')}</a> : null}
      </p>
      {isEditing && (
        <Edit
          memory={memory}
          onDone={() => {
            setEditing(false);
            onChanged();
          }}
        />
      )}
    </>
  );
}

function Edit({ memory, onDone }: { memory: Memory; onDone: () => void }) {
  const [name, setName] = useState(memory.name);
  const [collection, setCollection] = useState(memory.collection ?? 'default');
  const [tags, setTags] = useState((memory.tags ?? []).join(', '));
  const act = useCallback(async (signal: AbortSignal, change: Record<string, unknown>) => {
    await ask('update_memory', change, { signal });
    onDone();
  }, []);
  const save = useAction(act);
  const split = tagsOf(tags);
  return (
    <form
      class="card form edit-memory"
      aria-label={t('Name, collection and tags')}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run({ memory_id: memory.id, name, collection, tags: split });
      }}
    >
      <label>
        {t('Name')}
        <input required maxLength={255} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <label>
        {t('Collection')}
        <input required value={collection} onInput={(event) => setCollection(event.currentTarget.value)} />
      </label>
      <label>
        {t('Tags, separated by commas')}
        <input value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="submit" class="primary" disabled={save.isRunning}>
          {t('Save')}
        </button>
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}
