import type { ServerDefinitions } from '../../lib/admin.ts';
import { useAdmin } from '../../lib/hooks.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';
import { DefinitionChanges } from './definition-changes.tsx';

interface Props {
  readonly name: string;
  /** Asked again when this changes. */
  readonly round: unknown;
  readonly isBusy: boolean;
  readonly onChange: (tool: string, args: Record<string, unknown>) => Promise<boolean>;
}

/** Whether the tools of a server are as they were when first used; if not, what changed, to approve or to hold back. */
export function Definitions({ name, round, isBusy, onChange }: Props) {
  const all = useAdmin<{ servers: readonly ServerDefinitions[] }>('definitions', {}, [name, round], {
    keepsValue: true,
  });
  const own = all.value?.servers.find(({ key }) => key === name);
  if (all.failure) return <Failure error={all.failure.message} />;
  if (!own) return null;
  const { state, pinning, problem, warnings, fingerprint } = own;
  const approve = () => void onChange('approve_definitions', { key: name, fingerprint });
  return (
    <section aria-label={t('Definitions')}>
      <h3>{tx('Definitions {summaryOf}', { summaryOf: <span class="hint">{summaryOf(own)}</span> })}</h3>
      {problem !== undefined && <Failure error={t('They could not be compared: {problem}.', { problem })} />}
      {warnings.length > 0 && (
        <ul class="notice bad warnings" aria-label={t('Warnings')}>
          {warnings.map(({ tool, kind, message }) => (
            <li key={`${tool} ${kind}`}>
              <strong>{tool}</strong> {message}.
            </li>
          ))}
        </ul>
      )}
      {state === 'changed' && (
        <>
          {own.is_other_server && (
            <p class="notice bad">
              {t(
                'This is not the server that was pinned: its command, its address or the name it gives itself is another.',
              )}
            </p>
          )}
          <DefinitionChanges definitions={own} />
          <div class="actions">
            <button
              type="button"
              class="primary"
              disabled={isBusy || fingerprint === undefined || problem !== undefined}
              onClick={approve}
            >
              {t('Approve all of this')}
            </button>
            <span class="hint">
              {fingerprint === undefined
                ? t('Possible once the server is up and has listed its tools.')
                : heldWords(own)}
            </span>
          </div>
        </>
      )}
      {pinning === 'off' ? (
        <p class="hint">
          {tx('{code} in the configuration: changes of definitions are not looked for.', {
            code: <code>"pinning": "off"</code>,
          })}
        </p>
      ) : (
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={pinning === 'enforce'}
            checked={pinning === 'enforce'}
            disabled={isBusy}
            onChange={() => void onChange('hold_back', { key: name, on: pinning !== 'enforce' })}
          />
          {t('Hold back new and changed tools until I approve them')}
        </label>
      )}
    </section>
  );
}

function summaryOf({ state, changes, server_changes: server, pinning }: ServerDefinitions): string {
  if (pinning === 'off') return '';
  if (state === 'pinned') return t('as they were when first used');
  if (state === 'unknown') return t('not compared yet');
  return [
    changes.length > 0 && t('{tools} changed', { tools: plural(changes.length, 'tool') }),
    server.length > 0 && t('the server itself changed'),
  ]
    .filter(Boolean)
    .join(', ');
}

function heldWords({ held_back: held, changes }: ServerDefinitions): string {
  if (held.length > 0)
    return t('{tools} held back: clients cannot see or call them.', { tools: plural(held.length, 'tool') });
  return changes.some(({ kind }) => kind !== 'removed') ? t('Clients see and call the tools as they are now.') : '';
}
