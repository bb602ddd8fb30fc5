import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { t } from '../lib/texts.ts';

const WORDS = { idle: '', copied: t('Copied ✓'), failed: t('Could not copy; select the text instead') };

export function CopyButton({ text, label }: { text: string | (() => string); label: string }) {
  const [state, setState] = useState<keyof typeof WORDS>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'function' ? text() : text);
      setState('copied');
    } catch {
      setState('failed');
    }
    setTimeout(() => setState('idle'), 2000);
  };
  return (
    <button type="button" onClick={copy} aria-live="polite">
      {WORDS[state] || label}
    </button>
  );
}

/** Text to take along, with a button that does it. */
export function CopyBlock({ text, label, children }: { text: string; label: string; children?: ComponentChildren }) {
  return (
    <div class="copy-block">
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <div class="actions">
        <CopyButton text={text} label={label} />
        {children}
      </div>
    </div>
  );
}
