import { useCallback, useState } from 'preact/hooks';
import { useAction } from '../lib/hooks.ts';
import { ask } from '../lib/mcp.ts';
import { Failure } from './states.tsx';

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
    async (signal: AbortSignal, text: string, name: string) =>
      (await ask<{ data: Reply }>('chat_with_local_model', { message: text, ...(name && { model: name }) }, { signal }))
        .data,
    [],
  );
  const chat = useAction(act);
  return (
    <section class="card">
      <h2>Talk to a local model</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void chat.run(message, model);
        }}
      >
        <label>
          Model
          <select value={model} onChange={(event) => setModel(event.currentTarget.value)}>
            <option value="">the first that can chat</option>
            {models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label>
          Message
          <textarea rows={3} required value={message} onInput={(event) => setMessage(event.currentTarget.value)} />
        </label>
        <div class="actions">
          <button type="submit" class="primary" disabled={chat.isRunning}>
            {chat.isRunning ? 'Thinking …' : 'Send'}
          </button>
          {chat.isRunning && (
            <button type="button" onClick={chat.cancel}>
              Cancel
            </button>
          )}
        </div>
      </form>
      {chat.error && <Failure error={chat.error} />}
      {chat.value && (
        <blockquote>
          <p>{chat.value.response}</p>
          <footer>
            {chat.value.model}
            {chat.value.timing?.tokens_per_second ? `, ${chat.value.timing.tokens_per_second.toFixed(1)} tokens/s` : ''}
          </footer>
        </blockquote>
      )}
    </section>
  );
}
