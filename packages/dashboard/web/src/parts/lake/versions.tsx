import { useCallback } from 'preact/hooks';
import { bytes, dayAndTime } from '../../lib/format.ts';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { ask } from '../../lib/mcp.ts';
import { plural, t } from '../../lib/texts.ts';
import { listedName } from '../../lib/tools.ts';
import { Failure } from '../states.tsx';
import '../../styles/diff.css';
import '../../styles/notes.css';

interface Version {
  readonly version: number;
  readonly current: boolean;
  readonly name: string;
  readonly size_bytes: number;
  readonly since: string;
}

interface VersionDiff {
  readonly from: number;
  readonly to: number;
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly truncated: boolean;
}

/** The former versions of a document, and what changed since each. Nothing is shown while there is one only. */
export function Versions({ id }: { id: string }) {
  const list = useLoaded(
    async (signal) => {
      const tool = await listedName('list_versions', 'memory_id');
      return (await ask<{ result: { versions: Version[] } }>(tool, { memory_id: id }, { signal })).result.versions;
    },
    [id],
  );
  const act = useCallback(
    async (signal: AbortSignal, from: number, to: number) =>
      (await ask<{ result: VersionDiff }>('diff_versions', { memory_id: id, from, to }, { signal })).result,
    [id],
  );
  const diff = useAction(act);
  const versions = list.value ?? [];
  if (versions.length < 2) return null;
  return (
    <details>
      <summary>{plural(versions.length, 'version')}</summary>
      <ul class="versions" aria-label={t('Versions')}>
        {versions.map(({ version, current, name, size_bytes: size, since }, index) => {
          const before = versions[index + 1]?.version;
          return (
            <li key={version}>
              <strong>{t('Version {version}', { version })}</strong>
              {current && <span class="tag good">{t('present')}</span>}
              <span class="hint">
                {dayAndTime(since)} · {bytes(size)}
                {name !== versions[0]?.name && ` · ${name}`}
              </span>
              {before !== undefined && (
                <button
                  type="button"
                  class="quiet"
                  disabled={diff.isRunning}
                  onClick={() => void diff.run(before, version)}
                >
                  {t('What changed')}
                  <span class="hidden"> {t('in version {version}', { version })}</span>
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {diff.error && <Failure error={diff.error} />}
      {diff.value && <Lines diff={diff.value} />}
    </details>
  );
}

function Lines({ diff: { from, to, diff, added, removed, truncated } }: { diff: VersionDiff }) {
  return (
    <section aria-label={t('From version {from} to {to}', { from, to })}>
      <p role="status">
        {t('From version {from} to {to}: {lines} new, {lines2} gone', {
          from,
          to,
          lines: plural(added, 'line'),
          lines2: plural(removed, 'line'),
        })}
        {truncated && t('; only the beginning is shown')}.
      </p>
      {diff === '' ? (
        <p class="hint">{t('The texts are the same.')}</p>
      ) : (
        <pre class="diff-lines" tabIndex={0}>
          {diff.split('\n').map((line, index) => (
            <span key={index} class={KINDS[line.charAt(0)] ?? ''}>
              {line || ' '}
            </span>
          ))}
        </pre>
      )}
    </section>
  );
}

/** By the first character of a line of a unified diff. */
const KINDS: Readonly<Record<string, string>> = { '+': 'new', '-': 'gone', '@': 'mark' };
