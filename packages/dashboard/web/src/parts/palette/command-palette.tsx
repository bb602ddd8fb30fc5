import { useEffect, useRef, useState } from 'preact/hooks';
import { type Destination, fits, fixedDestinations, foundDestinations, rankOf } from '../../lib/commands.ts';
import { useLoaded, useRested } from '../../lib/hooks.ts';
import { linkTo } from '../../lib/route.ts';
import { t } from '../../lib/texts.ts';
import type { PaletteProps } from './palette-button.tsx';

const MOST = 30;
const KIND_TITLES = {
  Page: t('Page'),
  Tool: t('Tool'),
  Server: t('Server'),
  Document: t('Document'),
  Tensor: t('Tensor'),
};
const ADD_SERVER: Destination = { kind: 'Page', title: t('Add a server'), href: linkTo('servers', 'new') };
const TABLES: Destination = { kind: 'Page', title: t('SQL on tables'), href: linkTo('lake', 'tables') };

/** Goes anywhere by a few letters: pages, servers, tools, documents, tensors. */
export function CommandPalette({ pages, typed: given, onClose }: PaletteProps) {
  const [words, setWords] = useState(given);
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const rested = useRested(words.trim(), 150);
  const fixed = useLoaded(fixedDestinations, []);
  const found = useLoaded((signal) => foundDestinations(rested, signal), [rested]);
  useEffect(() => dialog.current?.showModal(), []);
  const known = [
    ...pages.map(({ key, title }): Destination => ({ kind: 'Page', title, href: linkTo(key) })),
    ADD_SERVER,
    TABLES,
    ...(fixed.value ?? []),
  ];
  const typed = words.trim();
  const shown = [...known.filter((each) => fits(each, typed)), ...(typed ? (found.value ?? []) : [])]
    .sort((a, b) => (typed ? rankOf(a, typed) - rankOf(b, typed) : 0))
    .slice(0, MOST);
  const chosen = Math.min(at, shown.length - 1);
  useEffect(
    () => dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [chosen],
  );
  const go = (destination: Destination | undefined) => {
    if (!destination) return;
    onClose();
    location.hash = destination.href;
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(shown[chosen]);
    else if (event.key === 'ArrowDown') setAt((chosen + 1) % Math.max(shown.length, 1));
    else if (event.key === 'ArrowUp') setAt((chosen - 1 + shown.length) % Math.max(shown.length, 1));
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click beside it closes it, and so does Escape
    <dialog
      class="palette"
      ref={dialog}
      aria-label={t('Go to')}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <input
        type="text"
        {...comboboxOf(shown[chosen] && `palette-${chosen}`)}
        aria-label={t('Go to a page, server, tool, document or tensor')}
        placeholder={t('Page, server, tool, document or tensor')}
        autocomplete="off"
        value={words}
        onInput={(event) => {
          setWords(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
      />
      <div id="palette-list" role="listbox" aria-label={t('Where to go')}>
        {shown.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the field above choose
          <div
            key={`${each.kind} ${each.href}`}
            id={`palette-${index}`}
            class="destination"
            role="option"
            aria-selected={index === chosen}
            tabIndex={-1}
            onClick={() => go(each)}
          >
            <span class="tag">{KIND_TITLES[each.kind]}</span>
            <strong>{each.title}</strong>
            <span class="hint">{each.hint}</span>
          </div>
        ))}
      </div>
      <p class="hint" role="status">
        {shown.length === 0 && !found.isLoading
          ? t('Nothing has these words in its name.')
          : t('↑ ↓ to choose, Enter to go, Esc to close')}
      </p>
    </dialog>
  );
}

/** Apart, since the types allow this role only to a field with a `list`, which would draw suggestions of its own. */
function comboboxOf(active: string | undefined): object {
  return {
    role: 'combobox',
    'aria-expanded': true,
    'aria-controls': 'palette-list',
    'aria-activedescendant': active,
  };
}
