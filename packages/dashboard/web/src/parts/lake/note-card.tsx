import { useCallback, useState } from 'preact/hooks';
import { day } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks.ts';
import { forget, type NoteMemory, sourceLink, supersede } from '../../lib/lake/notes.ts';
import { linkTo } from '../../lib/route.ts';
import { t, tx } from '../../lib/texts.ts';
import { DiffText } from '../diff-text.tsx';
import { Failure } from '../states.tsx';
import '../../styles/notes.css';

/** A note: what it says, where that was learnt, whether it still stands there, and what can be done about it. */
export function NoteCard({ memory, onChanged }: { memory: NoteMemory; onChanged: () => void }) {
  const [isEditing, setEditing] = useState(false);
  const { id, note, tags = [], collection } = memory;
  const { source_changed: changed = [], superseded_by: newer, supersedes: former } = note;
  const act = useCallback(
    async (signal: AbortSignal, text?: string) => {
      await (text === undefined ? forget(id, signal) : supersede(id, text, signal));
      setEditing(false);
      onChanged();
    },
    [id],
  );
  const action = useAction(act);
  const remove = () => {
    if (confirm(t('Forget this note for good?'))) void action.run();
  };
  return (
    <article class={newer ? 'note former' : 'note'}>
      <p class="note-text">{note.text}</p>
      <p class="tags">
        <span class="hint">
          {t('{newer} since {day}', { newer: newer ? t('Held') : t('Holds'), day: day(note.valid_from) })}
          {note.valid_to && ` ${t('until {day}', { day: day(note.valid_to) })}`}
        </span>
        {collection && <span class="tag">{t('in {collection}', { collection })}</span>}
        {tags.map((tag) => (
          <span class="tag" key={tag}>
            #{tag}
          </span>
        ))}
        {newer && <a href={linkTo('lake', newer)}>{t('What holds now')}</a>}
        {former && <a href={linkTo('lake', former)}>{t('What held before')}</a>}
      </p>
      <Sources memory={memory} />
      {changed.map((source) => (
        <div class="notice bad" key={sourceLink(source).href}>
          <strong>{source.present === null ? t('This source is gone: ') : t('This source changed: ')}</strong>
          <a href={sourceLink(source).href}>{sourceLink(source).label}</a>
          <DiffText before={source.former} after={source.present ?? ''} />
        </div>
      ))}
      {isEditing ? (
        <Supersede note={note.text} isBusy={action.isRunning} onSave={action.run} onCancel={() => setEditing(false)} />
      ) : (
        <div class="actions">
          {!newer && (
            <button type="button" disabled={action.isRunning} onClick={() => setEditing(true)}>
              {t('Write what holds instead')}
            </button>
          )}
          <button type="button" class="danger" disabled={action.isRunning} onClick={remove}>
            {t('Forget')}
          </button>
        </div>
      )}
      {action.error && <Failure error={action.error} />}
    </article>
  );
}

function Sources({ memory: { note } }: { memory: NoteMemory }) {
  const changed = new Set((note.source_changed ?? []).map((source) => sourceLink(source).href));
  const sound = note.cites.filter((cite) => !changed.has(sourceLink(cite).href));
  if (note.cites.length === 0) return <p class="hint">{t('Without a source.')}</p>;
  return (
    <>
      {sound.map((cite) => (
        <blockquote key={sourceLink(cite).href}>
          {cite.text.length > 280 ? `${cite.text.slice(0, 280)}…` : cite.text}
          <footer>
            {tx('{label} still says so', { label: <a href={sourceLink(cite).href}>{sourceLink(cite).label}</a> })}
          </footer>
        </blockquote>
      ))}
    </>
  );
}

interface SupersedeProps {
  readonly note: string;
  readonly isBusy: boolean;
  readonly onSave: (text: string) => Promise<boolean>;
  readonly onCancel: () => void;
}

function Supersede({ note, isBusy, onSave, onCancel }: SupersedeProps) {
  const [text, setText] = useState(note);
  return (
    <form
      class="form"
      aria-label={t('What holds instead')}
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(text);
      }}
    >
      <label>
        {tx('What holds instead <span>both are kept and dated; the same places are cited as they are now</span>', {
          span: (text) => <span class="hint">{text}</span>,
        })}
        <textarea
          required
          maxLength={20_000}
          rows={3}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy || text.trim() === '' || text === note}>
          {t('Save')}
        </button>
        <button type="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
