import { useCallback } from 'preact/hooks';
import { useAction } from '../../lib/hooks.ts';
import { useUploads } from '../../lib/lake/uploads.ts';
import { sampleFiles } from '../../lib/samples.ts';
import { t } from '../../lib/texts.ts';
import { DropZone } from '../lake/drop-zone.tsx';
import { UploadList } from '../lake/upload-list.tsx';
import { Failure } from '../states.tsx';

interface Props {
  readonly isEmpty: boolean;
  readonly onChanged: () => void;
  readonly onSamples: () => void;
}

/** Own files, or the samples. */
export function AddStep({ isEmpty, onChanged, onSamples }: Props) {
  const { uploads, take, retry } = useUploads(onChanged);
  const act = useCallback(async () => {
    const files = await sampleFiles();
    onSamples();
    await take(files);
  }, []);
  const samples = useAction(act);
  return (
    <>
      <DropZone onFiles={take}>
        <p class="hint">{t('They stay on this machine.')}</p>
        {isEmpty && (
          <p>
            <button type="button" class="quiet" disabled={samples.isRunning} onClick={() => void samples.run()}>
              {t('Or try it with four sample files')}
            </button>
          </p>
        )}
      </DropZone>
      {samples.error && <Failure error={samples.error} />}
      <UploadList uploads={uploads} onRetry={retry} />
    </>
  );
}
