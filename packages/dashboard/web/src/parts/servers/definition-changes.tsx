import type { DefinitionPart, ServerDefinitions } from '../../lib/admin.ts';
import { t } from '../../lib/texts.ts';
import { DiffText } from '../diff-text.tsx';
import '../../styles/definitions.css';

const KINDS = { added: t('new'), removed: t('gone'), changed: t('changed'), renamed: t('renamed') } as const;
const TONES = { added: 'good', removed: 'bad', changed: 'warn', renamed: 'warn' } as const;

/** Every difference between what was pinned and what is there, tool by tool. */
export function DefinitionChanges({ definitions }: { definitions: ServerDefinitions }) {
  const { server_changes: server, changes, held_back: held } = definitions;
  return (
    <ul class="definitions" aria-label={t('What changed')}>
      {server.length > 0 && (
        <li>
          <h4>{t('The server itself')}</h4>
          <Parts parts={server} />
        </li>
      )}
      {changes.map(({ kind, tool, formerly, parts }) => (
        <li key={`${kind} ${tool}`}>
          <h4>
            <code>{formerly === undefined ? tool : `${formerly} → ${tool}`}</code>
            <span class={`tag ${TONES[kind]}`}>{KINDS[kind]}</span>
            {held.includes(tool) && <span class="tag">{t('held back')}</span>}
          </h4>
          <Parts parts={parts} />
        </li>
      ))}
    </ul>
  );
}

function Parts({ parts }: { parts: readonly DefinitionPart[] }) {
  if (parts.length === 0) return null;
  return (
    <dl class="parts">
      {parts.map(({ part, before, after }) => (
        <div key={part}>
          <dt>{part}</dt>
          <dd>
            {before === undefined && after === undefined ? (
              <span class="hint">{t('changed')}</span>
            ) : (
              <DiffText before={before ?? ''} after={after ?? ''} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
