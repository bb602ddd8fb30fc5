import { bytes } from '../../lib/format.ts';
import type { Upload } from '../../lib/lake/uploads.ts';
import { linkTo } from '../../lib/route.ts';
import { t } from '../../lib/texts.ts';

/** The state of each file on its way into the lake. */
export function UploadList({ uploads, onRetry }: { uploads: readonly Upload[]; onRetry: (upload: Upload) => void }) {
  if (uploads.length === 0) return null;
  return (
    <ul class="uploads" aria-live="polite" aria-label={t('Files being added')}>
      {uploads.map((upload) => {
        const { id, file, state, text, part, memoryId } = upload;
        return (
          <li key={id} class={state}>
            {memoryId ? <a href={linkTo('lake', memoryId)}>{file.name}</a> : <strong>{file.name}</strong>}
            <span class="hint">{bytes(file.size)}</span>
            {(state === 'reading' || state === 'sending') && (
              <progress value={part} aria-label={t('Reading {name}', { name: file.name })} />
            )}
            <span>{text}</span>
            {state === 'failed' && (
              <button type="button" class="quiet" onClick={() => onRetry(upload)}>
                {t('Try again')}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
