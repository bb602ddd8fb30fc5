import type { Setup, useSetup } from '../../lib/setup.ts';
import { InstallRow } from './install-row.tsx';

/** Whether Python is ready for code, and a button where it is not. */
export function PythonRow({ python, state }: { python: Setup['python']; state: ReturnType<typeof useSetup> }) {
  const about = {
    ready: `Version ${python.version ?? ''} is ready, with NumPy and pandas, in a sandbox.`,
    missing: 'Runs code on your documents and models on your tensors, in a sandbox without network.',
    installing: `Another program is setting it up: ${python.step ?? ''}, ${Math.round(python.percent ?? 0)} %.`,
    unavailable: 'Python needs Linux for now; JavaScript and SQL work here.',
  }[python.state];
  const isOver = python.state === 'ready' || python.state === 'unavailable';
  return <InstallRow what="python" title="Python" about={about} isInstalled={isOver} state={state} />;
}
