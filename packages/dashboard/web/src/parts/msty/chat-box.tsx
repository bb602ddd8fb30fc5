import { useCallback, useState } from 'preact/hooks';
import { decimal, duration } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks.ts';
import { askMsty } from '../../lib/msty.ts';
import { t } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';

interface Reply {
  readonly response: string;
  readonly model: string;
  readonly timing?: { readonly total_ms: number | null; readonly tokens_per_second: number | null };
}

/** A word with a local model. */
export function ChatBox({ models }: { models: readonly string[] }) {
  const [message, setMessage] = useState('');
  const [model, setModel] = useState('');
  const act = useCallback(
    (signal: AbortSignal, text: string, name: string) =>
      askMsty<Reply>('chat_with_local_model', { message: text, ...(name && { model: name }) }, { signal }),
    [],
  );
  const chat = useAction(act);
  return (
    <section class="card">
      <h2>{t('Talk to a local model')}</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void chat.run(message, model);
        }}
      >
        <label>
          {t('Model')}
          <select value={model} onChange={(event) => setModel(event.currentTarget.value)}>
            <option value="">{t('the first that can chat')}</option>
            {models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label>
          {t('Message')}
          <textarea rows={3} required value={message} onInput={(event) => setMessage(event.currentTarget.value)} />
        </label>
        <div class="actions">
          <button type="submit" class="primary" disabled={chat.isRunning}>
            {chat.isRunning ? t('Thinking …') : t('Send')}
          </button>
          {chat.isRunning && (
            <button type="button" onClick={chat.cancel}>
              {t('Cancel')}
            </button>
          )}
        </div>
      </form>
      {chat.error && <Failure error={chat.error} />}
      {chat.value && (
        <blockquote aria-live="polite">
          <p class="reply">{chat.value.response}</p>
          <footer>{[chat.value.model, ...timing(chat.value)].join(', ')}</footer>
        </blockquote>
      )}
    </section>
  );
}

function timing({ timing }: Reply): string[] {
  return [
    timing?.total_ms ? duration(timing.total_ms) : '',
    timing?.tokens_per_second
      ? t('{tokens_per_second} tokens/s', { tokens_per_second: decimal(timing.tokens_per_second, 1) })
      : '',
  ].filter(Boolean);
}
