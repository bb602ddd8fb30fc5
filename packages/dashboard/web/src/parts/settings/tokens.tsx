import { useCallback, useState } from 'preact/hooks';
import { admin, type Settings } from '../../lib/admin.ts';
import { useAction } from '../../lib/hooks.ts';
import { t } from '../../lib/texts.ts';
import { CopyBlock } from '../copy-button.tsx';
import { Failure } from '../states.tsx';

interface Created {
  readonly token: string;
  readonly needs_restart: boolean;
}

/** Who may use this endpoint; a new token is shown once. */
export function Tokens({ settings, onChanged }: { settings: Settings; onChanged: () => void }) {
  const { tokens, views, revision, is_authenticated: isAuthenticated } = settings;
  const [name, setName] = useState('');
  const [isAdmin, setAdmin] = useState(false);
  const [view, setView] = useState('');
  const act = useCallback(
    async (signal: AbortSignal) => {
      const wanted = { name: name.trim(), admin: isAdmin, ...(view && { views: [view] }), revision };
      const created = await admin<Created>('create_token', wanted, { signal });
      setName('');
      onChanged();
      return created;
    },
    [name, isAdmin, view, revision],
  );
  const create = useAction(act);
  return (
    <section class="card" aria-label={t('Tokens')}>
      <h2>{t('Tokens')}</h2>
      <p class="hint">
        {isAuthenticated
          ? t('Callers need one of these.')
          : t('None is needed: this endpoint answers programs on this machine only.')}
      </p>
      {tokens.length > 0 && (
        <ul class="plain">
          {tokens.map((token) => (
            <li key={token.name}>
              <strong>{token.name}</strong> {token.admin && <span class="tag warn">{t('may administer')}</span>}{' '}
              <span class="hint">
                {token.views ? t('only {views}', { views: token.views.join(', ') }) : t('all views')}
              </span>
            </li>
          ))}
        </ul>
      )}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create.run();
        }}
      >
        <label>
          {t('New token for')}
          <input
            required
            maxLength={60}
            pattern="[\w \-]+"
            placeholder={t('a person or a program')}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        {views.length > 0 && (
          <label>
            {t('View')}
            <select value={view} onChange={(event) => setView(event.currentTarget.value)}>
              <option value="">{t('all')}</option>
              {views.map((each) => (
                <option key={each.name}>{each.name}</option>
              ))}
            </select>
          </label>
        )}
        <label class="check">
          <input type="checkbox" checked={isAdmin} onChange={() => setAdmin(!isAdmin)} /> {t('may administer')}
        </label>
        <div class="actions">
          <button type="submit" disabled={create.isRunning}>
            {t('Create')}
          </button>
        </div>
      </form>
      {create.error && <Failure error={create.error} />}
      {create.value && (
        <div class="notice" role="status">
          <strong>{t('This is shown once: copy it now.')}</strong>
          <CopyBlock text={create.value.token} label={t('Copy the token')} />
          {create.value.needs_restart && <p>{t('Atoll requires tokens after its next start.')}</p>}
        </div>
      )}
    </section>
  );
}
