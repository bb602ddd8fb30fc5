import type { Setup, useSetup } from '../../lib/setup.ts';
import { t } from '../../lib/texts.ts';
import { InstallRow } from './install-row.tsx';

/** As the installer calls it. */
const OCR = 'ocr';

/** Whether text in scans and pictures is recognised, and a button where it is not. */
export function OcrRow({ ocr, state }: { ocr: Setup['ocr']; state: ReturnType<typeof useSetup> }) {
  return (
    <InstallRow
      what={OCR}
      title={t('Text in scans and pictures')}
      about={
        ocr.installed
          ? t('Text in scans and pictures is recognised when they are added.')
          : t(
              'Recognises text in scans and pictures, so that it is found. Those that are there already have to be added again.',
            )
      }
      isInstalled={ocr.installed}
      sizeBytes={ocr.size_bytes}
      state={state}
    />
  );
}
