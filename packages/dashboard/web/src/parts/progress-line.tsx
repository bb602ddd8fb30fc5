import type { Progress } from '../lib/mcp.ts';
import { t } from '../lib/texts.ts';

/** How far a piece of work is, for eyes and for readers. */
export function ProgressLine({ progress }: { progress: Progress | undefined }) {
  if (!progress) return null;
  const { progress: done, total, message } = progress;
  return (
    <p role="status" class="progress">
      <progress value={done} {...(total !== undefined && { max: total })} aria-label={t('Progress')} />
      <span>
        {[total !== undefined && t('{done} of {total}', { done, total }), message].filter(Boolean).join(': ')}
      </span>
    </p>
  );
}
