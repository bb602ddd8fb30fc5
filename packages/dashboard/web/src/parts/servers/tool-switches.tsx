import { useState } from 'preact/hooks';
import type { AdminServer, AdminTool } from '../../lib/admin.ts';
import { t, tx } from '../../lib/texts.ts';

interface Props {
  readonly server: AdminServer;
  readonly isBusy: boolean;
  readonly onChange: (tool: string, args: Record<string, unknown>) => Promise<boolean>;
}

/** Whether clients can see it. */
export const isShown = ({ listed, held_back: isHeld }: AdminTool) => listed && !isHeld;

/** The tools of a server, each shown to clients or hidden from them. */
export function ToolSwitches({ server: { key, tools }, isBusy, onChange }: Props) {
  const [words, setWords] = useState('');
  const shown = tools.filter(({ name, title = '' }) => `${name} ${title}`.toLowerCase().includes(words.toLowerCase()));
  const listed = tools.filter(isShown).length;
  if (tools.length === 0) return <p class="hint">{t('Its tools are listed here once it is up.')}</p>;
  return (
    <>
      <h3>
        {tx('Tools {listed}', {
          listed: (
            <span class="hint">
              {listed === tools.length
                ? t('all {listed} shown to clients', { listed })
                : t('{listed} of {tools} shown to clients', { listed, tools: tools.length })}
            </span>
          ),
        })}
      </h3>
      {tools.length > 8 && (
        <input
          type="search"
          aria-label={t('Search its tools')}
          placeholder={t('Search its tools')}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <ul class="switches">
        {shown.map(({ name, title, description, listed: isListed, held_back: isHeld }) => (
          <li key={name}>
            <label class="switch">
              <input
                type="checkbox"
                role="switch"
                aria-checked={isListed}
                checked={isListed}
                disabled={isBusy}
                onChange={() => void onChange('switch_tool', { key, tool: name, listed: !isListed })}
              />
              <span>
                <strong>{title ?? name}</strong> {title && title !== name && <code>{name}</code>}{' '}
                {isHeld && <span class="tag">{t('held back')}</span>}
              </span>
            </label>
            {description && <p class="hint">{description}</p>}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="hint">{t('No tool has this in its name.')}</p>}
    </>
  );
}
