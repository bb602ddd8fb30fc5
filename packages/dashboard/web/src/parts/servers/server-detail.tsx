import { useState } from 'preact/hooks';
import type { AdminServer } from '../../lib/admin.ts';
import { duration } from '../../lib/format.ts';
import { remedyOf, sentence } from '../../lib/remedies.ts';
import { wordsOf } from '../../lib/server-form.ts';
import { plural, t } from '../../lib/texts.ts';
import { Definitions } from './definitions.tsx';
import { ServerForm } from './server-form.tsx';
import { ServerLog } from './server-log.tsx';
import { ToolSwitches } from './tool-switches.tsx';

interface Props {
  readonly server: AdminServer;
  readonly isBusy: boolean;
  readonly onChange: (tool: string, args: Record<string, unknown>) => Promise<boolean>;
}

const WORDS: Record<string, string> = {
  up: t('Up'),
  waiting: t('Idle; starts when it is needed'),
  starting: t('Starting'),
  down: t('Down'),
  disabled: t('Switched off'),
};

/** One server: its state, what can be done with it, its tools and its log. */
export function ServerDetail({ server, isBusy, onChange }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { key, state, since, restarts, reason, settings, is_builtin: isBuiltin, kind } = server;
  const isOff = state === 'disabled';
  const remove = () => {
    if (!confirm(t('Remove "{key}" from the configuration? Its own data stays where it is.', { key }))) return;
    void onChange('remove_server', { key }).then((isDone) => {
      if (isDone) location.hash = '#/servers';
    });
  };
  if (isEditing && settings) {
    return (
      <ServerForm
        name={key}
        settings={settings}
        isBusy={isBusy}
        onSave={(_name, next) =>
          void onChange('edit_server', { key, settings: next }).then((isDone) => isDone && setEditing(false))
        }
        onCancel={() => setEditing(false)}
      />
    );
  }
  return (
    <section class="trial server" aria-label={key}>
      <header>
        <h2>
          <span class={`dot ${state}`} aria-hidden="true" /> {key}
        </h2>
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={!isOff}
            checked={!isOff}
            disabled={isBusy}
            onChange={() => void onChange('switch_server', { key, on: isOff })}
          />
          {isOff ? t('Off') : t('On')}
        </label>
      </header>
      <p>
        {WORDS[state] ?? state}
        {state === 'up' && ` ${t('for {time}', { time: duration(Math.max(Date.now() - Date.parse(since), 1)) })}`}
        {restarts > 0 && <span class="hint"> {t('· started again {times}', { times: plural(restarts, 'time') })}</span>}
        <span class="hint"> · {KINDS[kind]}</span>
      </p>
      {reason && (
        <div class="notice bad">
          {sentence(reason)}
          <p>{remedyOf(kind)}</p>
        </div>
      )}
      {settings && (
        <pre class="code" tabIndex={0}>
          {settings.url ?? settings.openapi ?? wordsOf(settings)}
        </pre>
      )}
      <div class="actions">
        {!isOff && (
          <button type="button" disabled={isBusy} onClick={() => void onChange('restart_server', { key })}>
            {isBusy ? t('Working …') : t('Restart')}
          </button>
        )}
        {!isBuiltin && (
          <>
            <button type="button" disabled={isBusy} onClick={() => setEditing(true)}>
              {t('Edit')}
            </button>
            <button type="button" class="danger" disabled={isBusy} onClick={remove}>
              {t('Remove')}
            </button>
          </>
        )}
      </div>
      {!isBuiltin && <Definitions name={key} round={server} isBusy={isBusy} onChange={onChange} />}
      <ToolSwitches server={server} isBusy={isBusy} onChange={onChange} />
      {kind === 'stdio' && <ServerLog name={key} />}
    </section>
  );
}

const KINDS = {
  'in-process': t('built in, runs inside Atoll'),
  stdio: t('a program on this machine'),
  http: t('reached at an address'),
  openapi: t('an HTTP API, by its OpenAPI document'),
};
