import type { Setup, useSetup } from '../../lib/setup.ts';
import { t } from '../../lib/texts.ts';
import { InstallRow } from './install-row.tsx';

/** As the installer calls it. */
const PYTHON = 'python';

/** Whether Python is ready for code, and a button where it is not. */
export function PythonRow({ python, state }: { python: Setup['python']; state: ReturnType<typeof useSetup> }) {
  const about = {
    ready: t('Version {version} is ready, with NumPy and pandas, in a sandbox.', { version: python.version ?? '' }),
    missing: t('Runs code on your documents and models on your tensors, in a sandbox without network.'),
    installing: t('Another program is setting it up: {step}, {percent} %.', {
      step: python.step ?? '',
      percent: Math.round(python.percent ?? 0),
    }),
    unavailable: t('Python needs Linux; JavaScript and SQL work here.'),
  }[python.state];
  const isOver = python.state === 'ready' || python.state === 'unavailable';
  return <InstallRow what={PYTHON} title="Python" about={about} isInstalled={isOver} state={state} />;
}
