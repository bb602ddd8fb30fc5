import { useState } from 'preact/hooks';

export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [state, setState] = useState<'' | 'copied' | 'failed'>('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'function' ? text() : text);
      setState('copied');
    } catch {
      setState('failed');
    }
    setTimeout(() => setState(''), 1500);
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      {state === 'copied' ? 'Copied ✓' : state === 'failed' ? 'Could not copy' : label}
    </button>
  );
}

/** Text to take along, with a button that does it. */
export function CopyBlock({ text, label = 'Copy' }: { text: string; label?: string }) {
  return (
    <div class="copy-block">
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
