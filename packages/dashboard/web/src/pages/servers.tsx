import { useCallback } from 'preact/hooks';
import { type AdminServer, admin, type ServerList, type ServerSettings } from '../lib/admin.ts';
import { useAction, useAdmin } from '../lib/hooks.ts';
import { linkTo } from '../lib/route.ts';
import { useStatus } from '../lib/status.ts';
import { plural, t, tx } from '../lib/texts.ts';
import { ImportView } from '../parts/servers/import-view.tsx';
import { ServerDetail } from '../parts/servers/server-detail.tsx';
import { ServerForm } from '../parts/servers/server-form.tsx';
import { isShown } from '../parts/servers/tool-switches.tsx';
import { AdminFailure, Empty, Failure, Loading } from '../parts/states.tsx';
import type { PageProps } from './page.ts';

/** Which servers run and how: add, edit, switch, restart, remove. */
export function Servers({ rest }: PageProps) {
  const { status } = useStatus();
  const upstreams = status?.upstreams ?? [];
  const states = JSON.stringify(
    upstreams.map(({ key, state, since, tools, definitions }) => [key, state, since, tools, definitions]),
  );
  const list = useAdmin<ServerList>('servers', {}, [states], { keepsValue: true });
  const revision = list.value?.revision ?? '';
  const act = useCallback(
    async (signal: AbortSignal, tool: string, args: Record<string, unknown>) => {
      try {
        await admin(tool, { ...args, revision }, { signal });
      } finally {
        list.reload();
      }
    },
    [revision],
  );
  const change = useAction(act);
  if (list.failure && !list.value) return <AdminFailure error={list.failure} />;
  if (!list.value) return <Loading what={t('the servers')} />;
  const { servers, file } = list.value;
  const chosen = servers.find(({ key }) => key === rest[0]);
  const isAdding = rest[0] === 'new' && !chosen;
  const isImporting = rest[0] === 'import' && !chosen;
  const take = async (names: readonly string[]) => {
    if (await change.run('import_servers', { names })) location.hash = linkTo('servers', names[0] ?? '');
  };
  const add = async (key: string, settings: ServerSettings) => {
    if (await change.run('add_server', { key, settings })) location.hash = linkTo('servers', key);
  };
  return (
    <>
      <p class="lead">
        {t('{servers} behind this endpoint', { servers: plural(servers.length, 'server') })}
        {file && <span class="hint"> {tx('· configured in {file}', { file: <code>{file}</code> })}</span>}
      </p>
      {change.error && <Failure error={change.error} />}
      {list.error && <Failure error={list.error} />}
      <div class="two">
        <section class="list" aria-label={t('Servers')}>
          <a class="button primary" href={linkTo('servers', 'new')}>
            {t('Add a server')}
          </a>
          <a class="button" href={linkTo('servers', 'import')}>
            {t('Import from clients')}
          </a>
          <ul>
            {servers.map((server) => (
              <Row
                key={server.key}
                server={server}
                isChosen={server === chosen}
                hasChanged={upstreams.some(
                  ({ key, definitions }) => key === server.key && definitions?.state === 'changed',
                )}
              />
            ))}
          </ul>
        </section>
        {isAdding ? (
          <ServerForm
            isBusy={change.isRunning}
            onSave={(key, settings) => void add(key, settings)}
            onCancel={() => {
              location.hash = '#/servers';
            }}
          />
        ) : isImporting ? (
          <ImportView isBusy={change.isRunning} onImport={(names) => void take(names)} />
        ) : chosen ? (
          <ServerDetail key={chosen.key} server={chosen} isBusy={change.isRunning} onChange={change.run} />
        ) : (
          <Empty
            title={rest[0] ? t('Server "{value}" not found', { value: rest[0] }) : t('Choose a server, or add one')}
          >
            <p>
              {t(
                'A server is any program that speaks MCP, on this machine or at an address. Its tools appear beside the others, for every client that is connected here.',
              )}
            </p>
          </Empty>
        )}
      </div>
    </>
  );
}

function Row(props: { server: AdminServer; isChosen: boolean; hasChanged: boolean }) {
  const { server, isChosen, hasChanged } = props;
  const { key, state, tools, is_builtin: isBuiltin } = server;
  const listed = tools.filter(isShown).length;
  return (
    <li>
      <a href={linkTo('servers', key)} aria-current={isChosen ? 'true' : undefined}>
        <strong>
          <span class={`dot ${state}`} aria-hidden="true" /> {key}
        </strong>
        <span class="hint">
          {state === 'disabled' ? t('switched off') : state === 'down' ? t('down') : plural(listed, 'tool')}
          {isBuiltin && ` · ${t('built in')}`}
          {hasChanged && ` · ${t('tools changed')}`}
        </span>
      </a>
    </li>
  );
}
