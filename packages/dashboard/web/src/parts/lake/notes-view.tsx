import { useCallback, useState } from 'preact/hooks';
import { plural } from '../../lib/format.ts';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { tagsOf } from '../../lib/lake/lake.ts';
import { citeOf, listNotes, remember } from '../../lib/lake/notes.ts';
import { Empty, Failure, Loading } from '../states.tsx';
import { NoteCard } from './note-card.tsx';
import '../../styles/notes.css';

const STEP = 25;

/** What was learnt, newest first, each with its sources and whether they still say so. */
export function NotesView({ query }: { query: URLSearchParams }) {
  const [count, setCount] = useState(STEP);
  const [isOnlyChanged, setOnlyChanged] = useState(false);
  const notes = useLoaded((signal) => listNotes(count, signal), [count], { keepsValue: true });
  const all = notes.value?.notes ?? [];
  const changed = all.filter(({ note }) => note.source_changed && !note.superseded_by);
  const shown = isOnlyChanged && changed.length > 0 ? changed : all;
  return (
    <>
      <NoteForm key={String(query)} query={query} onSaved={notes.reload} />
      {notes.error && <Failure error={notes.error} />}
      {!notes.value && !notes.error && <Loading what="the notes" />}
      {notes.value?.n === 0 && (
        <Empty title="There are no notes yet">
          <p>
            Assistants keep what they learnt here, with the places they learnt it from; you can, too. When a source
            changes, the note says so.
          </p>
        </Empty>
      )}
      {notes.value && notes.value.n > 0 && (
        <section aria-label="Notes">
          <div class="filters">
            <h2>{plural(notes.value.n, 'note')}</h2>
            {changed.length > 0 && (
              <button type="button" aria-pressed={isOnlyChanged} onClick={() => setOnlyChanged(!isOnlyChanged)}>
                {plural(changed.length, 'note')} to check
              </button>
            )}
          </div>
          <ol class="hits" aria-label="Notes, the newest first">
            {shown.map((memory) => (
              <li class="card" key={memory.id}>
                <NoteCard memory={memory} onChanged={notes.reload} />
              </li>
            ))}
          </ol>
          {all.length < notes.value.n && (
            <button type="button" disabled={notes.isLoading} onClick={() => setCount(count + STEP)}>
              Show earlier ones
            </button>
          )}
        </section>
      )}
    </>
  );
}

/** A new note; the address may say which place of a document it is about. */
function NoteForm({ query, onSaved }: { query: URLSearchParams; onSaved: () => void }) {
  const cite = citeOf(query);
  const [text, setText] = useState('');
  const [tags, setTags] = useState('');
  const act = useCallback(async (signal: AbortSignal, note: Record<string, unknown>) => {
    await remember(note, signal);
    setText('');
    if (cite) location.hash = '#/lake/notes';
    onSaved();
  }, []);
  const save = useAction(act);
  const split = tagsOf(tags);
  return (
    <form
      class="card form note-form"
      aria-label="New note"
      onSubmit={(event) => {
        event.preventDefault();
        void save.run({ text, ...(split.length > 0 && { tags: split }), ...(cite && { cites: [cite] }) });
      }}
    >
      <label>
        {cite ? 'New note about this place' : 'New note'}
        <textarea
          required
          maxLength={20_000}
          rows={2}
          placeholder="One fact or decision, so that it makes sense on its own"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {cite && (
        <p class="hint">
          It will cite {query.get('name') ?? query.get('cite')}
          {query.get('page') && `, page ${query.get('page')}`}
          {query.get('sheet') && `, sheet ${query.get('sheet')}`}
          {query.get('rows') && `, rows ${query.get('rows')?.replace(':', '–')}`}
          {query.get('chunk') && `, part ${query.get('chunk')}`}. <a href="#/lake/notes">Without a source</a>
        </p>
      )}
      <label>
        Tags <span class="hint">optional, apart by commas</span>
        <input value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="submit" class="primary" disabled={save.isRunning}>
          Remember
        </button>
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}
