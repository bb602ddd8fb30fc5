import { useEffect, useRef, useState } from 'preact/hooks';
import { hasToken, RpcError, request, setToken } from '../lib/mcp.ts';
import { t, tx } from '../lib/texts.ts';

/** The endpoint wants a token: asks for it, and says whether it was the right one. */
export function AskToken({ onToken }: { onToken: () => void }) {
  const [token, setTyped] = useState('');
  const [error, setError] = useState(() => (hasToken() ? t('The token of this tab is no longer valid.') : ''));
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = async (event: Event) => {
    event.preventDefault();
    setToken(token.trim());
    try {
      await request('tools/list');
      onToken();
    } catch (fault) {
      const isWrong = fault instanceof RpcError && fault.code === 401;
      setError(isWrong ? t('That token was not accepted.') : (fault as Error).message);
    }
  };
  return (
    <main class="gate">
      <form class="card" onSubmit={submit}>
        <h1>Atoll</h1>
        <p>
          {tx(
            'This endpoint asks for its bearer token: the one that Atoll was started with, or one of {code} in {code2}. It is kept in this tab only.',
            { code: <code>tokens</code>, code2: <code>atoll.json</code> },
          )}
        </p>
        <label>
          {t('Token')}
          <input
            ref={field}
            type="password"
            value={token}
            autocomplete="off"
            required
            aria-invalid={error !== ''}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {error && (
          <p class="bad" role="alert">
            {error}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="primary">
            {t('Continue')}
          </button>
        </div>
      </form>
    </main>
  );
}
