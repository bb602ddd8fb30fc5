import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

const PAGE = 100;

interface Props<Item> {
  readonly total: number;
  readonly rowHeight: number;
  readonly label: string;
  /** A page of items; the same keys give the same list. */
  readonly load: (offset: number, limit: number, signal: AbortSignal) => Promise<readonly Item[]>;
  readonly keys: readonly unknown[];
  readonly row: (item: Item) => ComponentChildren;
}

/** Scrolls through any number of rows: only what is seen is loaded and drawn. */
export function VirtualList<Item>({ total, rowHeight, label, load, keys, row }: Props<Item>) {
  const [top, setTop] = useState(0);
  const [pages, setPages] = useState<ReadonlyMap<number, readonly Item[]>>(new Map());
  const box = useRef<HTMLDivElement>(null);
  // The border is part of the box.
  const height = Math.min(total * rowHeight, 560) + 2;
  const first = Math.max(0, Math.floor(top / rowHeight) - 5);
  const last = Math.min(total, Math.ceil((top + height) / rowHeight) + 5);
  useEffect(() => setPages(new Map()), keys);
  const wanted = [Math.floor(first / PAGE), Math.floor(Math.max(last - 1, 0) / PAGE)];
  useEffect(() => {
    const controller = new AbortController();
    for (const page of new Set(wanted)) {
      if (pages.has(page)) continue;
      load(page * PAGE, PAGE, controller.signal).then(
        (items) => setPages((before) => new Map(before).set(page, items)),
        () => {},
      );
    }
    return () => controller.abort();
  }, [wanted.join(), ...keys]);
  const rows = [];
  for (let index = first; index < last; index++) {
    const item = pages.get(Math.floor(index / PAGE))?.[index % PAGE];
    rows.push(
      <div
        class="row"
        role="listitem"
        key={index}
        aria-setsize={total}
        aria-posinset={index + 1}
        style={{ top: `${index * rowHeight}px`, height: `${rowHeight}px` }}
      >
        {item === undefined ? <span class="hint">…</span> : row(item)}
      </div>,
    );
  }
  return (
    <div
      class="virtual"
      ref={box}
      tabIndex={0}
      role="list"
      aria-label={label}
      style={{ height: `${height}px` }}
      onScroll={(event) => setTop(event.currentTarget.scrollTop)}
    >
      <div style={{ height: `${total * rowHeight}px` }} role="presentation">
        {rows}
      </div>
    </div>
  );
}
