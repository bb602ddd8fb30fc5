import { useMemo, useState } from 'preact/hooks';
import type { ToolResult } from '../../lib/mcp.ts';
import { t } from '../../lib/texts.ts';
import { LongText } from '../long-text.tsx';

/** The answer as it came. It is written out when it is asked for: that of 50 MB takes its time. */
export function RawAnswer({ result }: { result: ToolResult }) {
  const [isOpen, setOpen] = useState(false);
  const text = useMemo(() => (isOpen ? JSON.stringify(result, null, 2) : ''), [isOpen, result]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('Raw answer')}</summary>
      {isOpen && (
        <pre class="code" tabIndex={0}>
          <LongText text={text} />
        </pre>
      )}
    </details>
  );
}
