import { useCallback, useState } from 'preact/hooks';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { tagsOf } from '../../lib/lake/lake.ts';
import { citeOf, listNotes, remember } from '../../lib/lake/notes.ts';
import { plural, t, tx } from '../../lib/texts.ts';
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
      {!notes.value && !notes.error && <Loading what={t('the notes')} />}
      {notes.value?.n === 0 && (
        <Empty title={t('No notes yet')}>
          <p>
            {t(
              'Assistants keep what they learnt here, with the places they learnt it from; you can, too. When a source changes, the note says so.',
            )}
          </p>
        </Empty>
      )}
      {notes.value && notes.value.n > 0 && (
        <section aria-label={t('Notes')}>
          <div class="filters">
            <h2>{plural(notes.value.n, 'note')}</h2>
            {changed.length > 0 && (
              <button type="button" aria-pressed={isOnlyChanged} onClick={() => setOnlyChanged(!isOnlyChanged)}>
                {t('{notes} to check', { notes: plural(changed.length, 'note') })}
              </button>
            )}
          </div>
          <ol class="hits" aria-label={t('Notes, the newest first')}>
            {shown.map((memory) => (
              <li class="card" key={memory.id}>
                <NoteCard memory={memory} onChanged={notes.reload} />
              </li>
            ))}
          </ol>
          {all.length < notes.value.n && (
            <button type="button" disabled={notes.isLoading} onClick={() => setCount(count + STEP)}>
              {t('Show earlier ones')}
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
      aria-label={t('New note')}
      onSubmit={(event) => {
        event.preventDefault();
        void save.run({ text, ...(split.length > 0 && { tags: split }), ...(cite && { cites: [cite] }) });
      }}
    >
      <label>
        {cite ? t('New note about this place') : t('New note')}
        <textarea
          required
          maxLength={20_000}
          rows={2}
          placeholder={t('One fact or decision, so that it makes sense on its own')}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {cite && (
        <p class="hint">
          {t('It will cite {get}', { get: query.get('name') ?? query.get('cite') })}
          {query.get('page') && t(', page {get}', { get: query.get('page') })}
          {query.get('sheet') && t(', sheet {get}', { get: query.get('sheet') })}
          {query.get('rows') && t(', rows {replace}', { replace: query.get('rows')?.replace(':', '–') })}
          {query.get('chunk') && t(', part {get}', { get: query.get('chunk') })}
          {'. '}
          <a href="#/lake/notes">{t('Without a source')}</a>
        </p>
      )}
      <label>
        {tx('Tags <span>optional, separated by commas</span>', { span: (text) => <span class="hint">{text}</span> })}
        <input value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="submit" class="primary" disabled={save.isRunning}>
          {t('Remember')}
        </button>
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}
