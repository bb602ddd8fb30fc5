import type { ComponentChildren } from 'preact';
import { bytes } from '../../lib/format.ts';
import type { useSetup } from '../../lib/setup.ts';
import { t } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';

interface Props {
  readonly what: string;
  readonly title: string;
  readonly about: ComponentChildren;
  readonly isInstalled: boolean;
  readonly sizeBytes?: number;
  readonly state: Pick<ReturnType<typeof useSetup>, 'install' | 'asked' | 'progress'>;
  readonly children?: ComponentChildren;
}

/** Something that can be installed: what it is for, a button, and how far it is. */
export function InstallRow({ what, title, about, isInstalled, sizeBytes, state, children }: Props) {
  const { install, asked, progress } = state;
  const isOwn = progress?.what === what;
  return (
    <li class="install">
      <div>
        <strong>
          {isInstalled && (
            <span class="tick" aria-hidden="true">
              ✓{' '}
            </span>
          )}
          {title}
        </strong>
        <p class="hint">{about}</p>
      </div>
      <div class="actions">
        {children}
        {!isInstalled && !isOwn && (
          <button type="button" disabled={install.isRunning} onClick={() => void install.run(what)}>
            {t('Install')} {sizeBytes ? <span class="hint">{bytes(sizeBytes)}</span> : null}
            <span class="hidden"> {title}</span>
          </button>
        )}
        {isOwn && (
          <button type="button" onClick={install.cancel}>
            {t('Cancel')}
          </button>
        )}
      </div>
      {isOwn && (
        <p class="progress" role="status">
          <progress
            {...(progress.total ? { value: (progress.progress ?? 0) / progress.total } : {})}
            aria-label={t('Installing {title}', { title })}
          />
          <span class="hint">{progress.message ?? t('starting')}</span>
        </p>
      )}
      {install.error && asked === what && <Failure error={install.error} />}
    </li>
  );
}
