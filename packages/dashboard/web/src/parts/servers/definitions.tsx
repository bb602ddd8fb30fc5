import type { ServerDefinitions } from '../../lib/admin.ts';
import { plural } from '../../lib/format.ts';
import { useAdmin } from '../../lib/hooks.ts';
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
    <section aria-label="Definitions">
      <h3>
        Definitions <span class="hint">{summaryOf(own)}</span>
      </h3>
      {problem !== undefined && <Failure error={`They could not be compared: ${problem}.`} />}
      {warnings.length > 0 && (
        <ul class="notice bad warnings" aria-label="Warnings">
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
              This is not the server that was pinned: its command, its address or the name it gives itself is another.
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
              Approve all of this
            </button>
            <span class="hint">
              {fingerprint === undefined ? 'Possible once the server is up and has listed its tools.' : heldWords(own)}
            </span>
          </div>
        </>
      )}
      {pinning === 'off' ? (
        <p class="hint">
          <code>"pinning": "off"</code> in the configuration: changes of definitions are not looked for.
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
          Hold back new and changed tools until I approve them
        </label>
      )}
    </section>
  );
}

function summaryOf({ state, changes, server_changes: server, pinning }: ServerDefinitions): string {
  if (pinning === 'off') return '';
  if (state === 'pinned') return 'as they were when first used';
  if (state === 'unknown') return 'not compared yet';
  return [
    changes.length > 0 && `${plural(changes.length, 'tool')} changed`,
    server.length > 0 && 'the server itself changed',
  ]
    .filter(Boolean)
    .join(', ');
}

function heldWords({ held_back: held, changes }: ServerDefinitions): string {
  if (held.length > 0) return `${plural(held.length, 'tool')} held back: clients cannot see or call them.`;
  return changes.some(({ kind }) => kind !== 'removed') ? 'Clients see and call the tools as they are now.' : '';
}
