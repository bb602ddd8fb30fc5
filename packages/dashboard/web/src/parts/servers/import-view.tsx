import { useState } from 'preact/hooks';
import type { ServerSettings } from '../../lib/admin.ts';
import { useAdmin } from '../../lib/hooks.ts';
import { wordsOf } from '../../lib/server-form.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { AdminFailure, Empty, Loading } from '../states.tsx';
import '../../styles/definitions.css';

interface ClientServer {
  readonly name: string;
  readonly file: string;
  readonly settings?: ServerSettings;
  readonly left_out?: string;
  readonly secrets: readonly string[];
}

interface Props {
  readonly isBusy: boolean;
  readonly onImport: (names: readonly string[]) => void;
}

/** Servers in the configurations of this machine's clients, to take over. */
export function ImportView({ isBusy, onImport }: Props) {
  const list = useAdmin<{ servers: readonly ClientServer[]; unreadable: readonly string[] }>(
    'importable',
    {},
    [isBusy],
    {
      keepsValue: true,
    },
  );
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  if (list.failure) return <AdminFailure error={list.failure} />;
  if (!list.value) return <Loading what={t('the servers of your clients')} />;
  const { servers, unreadable } = list.value;
  const possible = servers.filter(({ settings }) => settings !== undefined);
  const chosen = possible.filter(({ name }) => !skipped.has(name)).map(({ name }) => name);
  const toggle = (name: string) => {
    const next = new Set(skipped);
    if (!next.delete(name)) next.add(name);
    setSkipped(next);
  };
  return (
    <section class="trial server" aria-label={t('Import from clients')}>
      <h2>{t('Import from clients')}</h2>
      <p class="hint">
        {t(
          'Servers that your clients start themselves can be started here, once for all of them. The clients keep their own entries; remove there what Atoll serves.',
        )}
      </p>
      {unreadable.length > 0 && (
        <p class="notice bad">
          {t('Not JSON, and left out: the configuration of {unreadable}.', { unreadable: unreadable.join(', ') })}
        </p>
      )}
      {servers.length === 0 && (
        <Empty title={t('No client has a server to import')}>
          <p>{t('Claude Desktop, Claude Code, Cursor, VS Code and Windsurf are searched.')}</p>
        </Empty>
      )}
      <ul class="definitions">
        {servers.map(({ name, file, settings, left_out: why, secrets }) => (
          <li key={`${file} ${name}`}>
            {settings ? (
              <label class="switch">
                <input
                  type="checkbox"
                  role="switch"
                  aria-checked={!skipped.has(name)}
                  checked={!skipped.has(name)}
                  disabled={isBusy}
                  onChange={() => toggle(name)}
                />
                <strong>{name}</strong>
              </label>
            ) : (
              <strong>{name}</strong>
            )}
            <p class="hint">
              {file}
              {why && `: ${t('left out, {why}', { why })}`}
            </p>
            {settings && (
              <pre class="code" tabIndex={0}>
                {settings.url ?? wordsOf(settings)}
              </pre>
            )}
            {secrets.length > 0 && (
              <p class="hint">
                {tx('It needs a secret: run {secrets}', {
                  secrets: <code>{secrets.map((secret) => `atoll secret set ${secret}`).join(t(' and '))}</code>,
                })}
              </p>
            )}
          </li>
        ))}
      </ul>
      {possible.length > 0 && (
        <div class="actions">
          <button
            type="button"
            class="primary"
            disabled={isBusy || chosen.length === 0}
            onClick={() => onImport(chosen)}
          >
            {isBusy ? t('Working …') : t('Import {servers}', { servers: plural(chosen.length, 'server') })}
          </button>
          <a href="#/servers">{t('Cancel')}</a>
        </div>
      )}
    </section>
  );
}
