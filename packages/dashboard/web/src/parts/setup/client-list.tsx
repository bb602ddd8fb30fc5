import { useCallback } from 'preact/hooks';
import { admin, type KnownClient } from '../../lib/admin.ts';
import { useAction, useAdmin } from '../../lib/hooks.ts';
import { t } from '../../lib/texts.ts';
import { Failure, Loading } from '../states.tsx';

interface Connected {
  readonly title: string;
  readonly path: string;
  readonly backup?: string;
}

export const useClients = () => useAdmin<{ clients: readonly KnownClient[] }>('clients', {}, [], { keepsValue: true });

/** The MCP clients of this machine; one click writes Atoll into the configuration of one. */
export function ClientList({ clients }: { clients: ReturnType<typeof useClients> }) {
  const { reload } = clients;
  const act = useCallback(
    async (signal: AbortSignal, name: string) => {
      const done = await admin<Connected>('connect_client', { name }, { signal });
      reload();
      return done;
    },
    [reload],
  );
  const connect = useAction(act);
  // Whoever may not administer copies the configuration instead.
  if (clients.failure) return null;
  if (!clients.value) return <Loading what={t('the clients on this machine')} />;
  const found = clients.value.clients.filter((client) => client.is_installed);
  return (
    <>
      {found.length === 0 && (
        <p class="hint">
          {t('No client was found on this machine. Whichever you use: there is something to copy for it.')}
        </p>
      )}
      <ul class="clients">
        {found.map(({ name, title, path, has_atoll: isConnected }) => (
          <li key={name}>
            <div>
              <strong>{title}</strong>
              <p class="hint">{path}</p>
            </div>
            {isConnected ? (
              <span class="tag good">{t('✓ connected')}</span>
            ) : (
              <button type="button" disabled={connect.isRunning} onClick={() => void connect.run(name)}>
                {t('Connect')}
                <span class="hidden"> {title}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {connect.error && <Failure error={connect.error} />}
      {connect.value && (
        <p class="hint" role="status">
          {t("Written to {path}. Start {title} again to see Atoll's tools.", {
            path: connect.value.path,
            title: connect.value.title,
          })}
          {connect.value.backup && ` ${t('The file as it was: {backup}', { backup: connect.value.backup })}`}
        </p>
      )}
    </>
  );
}
