import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../lib/texts.ts';
import { Icon } from '../icon.tsx';

export interface PaletteProps {
  readonly pages: readonly { readonly key: string; readonly title: string }[];
  /** What was typed before it was there. */
  readonly typed: string;
  readonly onClose: () => void;
}

/** Opens the command palette, by click or Ctrl-K; it is fetched when it is first opened. A slash goes to the page's own search. */
export function PaletteButton({ pages }: Pick<PaletteProps, 'pages'>) {
  const [isOpen, setOpen] = useState(false);
  const [view, setView] = useState<{ Palette: ComponentType<PaletteProps> }>();
  const typed = useRef('');
  useEffect(() => {
    typed.current = '';
    if (!isOpen || view) return;
    const keep = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (key.length === 1 && !ctrlKey && !metaKey) typed.current += key;
    };
    addEventListener('keydown', keep);
    void import('./command-palette.tsx').then(({ CommandPalette }) => setView({ Palette: CommandPalette }));
    return () => removeEventListener('keydown', keep);
  }, [isOpen, view === undefined]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setOpen((before) => !before);
      } else if (event.key === '/' && !isTyping(event)) {
        const field = document.querySelector<HTMLInputElement>('main input[type=search]');
        if (field) event.preventDefault();
        field?.focus();
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        class="palette-button"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>{t('Go to …')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      {isOpen && view && <view.Palette pages={pages} typed={typed.current} onClose={() => setOpen(false)} />}
    </>
  );
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  const field = target instanceof Element && target.closest('input, textarea, select, [contenteditable], dialog');
  return Boolean(field) || ctrlKey || metaKey || altKey || (target as Element).shadowRoot !== null;
}
