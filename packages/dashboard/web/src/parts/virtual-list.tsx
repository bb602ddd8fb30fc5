import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Failure } from './states.tsx';

const PAGE = 100;
/** The window of drawn rows moves in steps, so that most frames of a scroll draw nothing new. */
const STEP = 4;
const TALLEST = 560;
/** How long after its last step a scroll is over. */
const REST_MS = 200;

interface Props<Item> {
  readonly total: number;
  readonly rowHeight: number;
  readonly label: string;
  /** A page of items; the same keys give the same list. */
  readonly load: (offset: number, limit: number, signal: AbortSignal) => Promise<readonly Item[]>;
  readonly keys: readonly unknown[];
  readonly row: (item: Item) => ComponentChildren;
}

interface Drawn<Item> {
  readonly item: Item | undefined;
  readonly node: VNode;
}

/** Scrolls through any number of rows: only what is seen, and a little around it, is loaded and drawn. */
export function VirtualList<Item>({ total, rowHeight, label, load, keys, row }: Props<Item>) {
  const [start, setStart] = useState(0);
  const [isScrolling, setScrolling] = useState(false);
  const rest = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(rest.current), []);
  const { pages, error } = usePages(start, total, load, keys);
  const box = useRef<HTMLDivElement>(null);
  const height = Math.min(total * rowHeight, TALLEST);
  const count = Math.ceil(height / rowHeight) + 2 * STEP;
  const last = Math.min(total, start + count);
  const drawn = useRef<{ row: unknown; rows: Map<number, Drawn<Item>> }>({ row, rows: new Map() });
  if (drawn.current.row !== row) drawn.current = { row, rows: new Map() };
  // While it scrolls each row stays where it is in the document: moving elements costs more than all else. At rest, and
  // with the focus in a row, they are in their order, which is that of the Tab key.
  const isInOrder = !isScrolling || hasFocusIn(box.current);
  const rows: VNode[] = [];
  const kept = new Map<number, Drawn<Item>>();
  for (let index = start; index < last; index++) {
    const item = pages.get(Math.floor(index / PAGE))?.[index % PAGE];
    const before = drawn.current.rows.get(index);
    // The same node is not compared again, so that a step of a scroll costs its new rows only.
    const node =
      before && before.item === item ? (
        before.node
      ) : (
        // A row that leaves on one side comes back on the other, so a scroll makes no new elements.
        <div
          class="row"
          style={{ transform: `translateY(${index * rowHeight}px)` }}
          role="listitem"
          key={index % count}
          aria-setsize={total}
          aria-posinset={index + 1}
        >
          {item === undefined ? <span class="hint waiting">…</span> : row(item)}
        </div>
      );
    kept.set(index, { item, node });
    rows[isInOrder ? index - start : index % count] = node;
  }
  drawn.current.rows = kept;
  const follow = (top: number) => {
    const next = Math.max(0, Math.floor(top / rowHeight / STEP) * STEP - STEP);
    if (next === start) return;
    setStart(next);
    setScrolling(true);
    clearTimeout(rest.current);
    rest.current = setTimeout(() => setScrolling(false), REST_MS);
  };
  return (
    <>
      {error && <Failure error={error} />}
      <div
        class="virtual"
        ref={box}
        tabIndex={0}
        role="list"
        aria-label={label}
        style={{ height: `${height + 2}px`, '--row': `${rowHeight}px` }}
        onScroll={(event) => follow(event.currentTarget.scrollTop)}
      >
        <div style={{ height: `${total * rowHeight}px` }} role="presentation">
          <div class="rows" role="presentation">
            {rows}
          </div>
        </div>
      </div>
    </>
  );
}

function hasFocusIn(box: HTMLElement | null): boolean {
  return box !== document.activeElement && (box?.contains(document.activeElement) ?? false);
}

/** The pages around a row, loaded as they come near and kept; new keys begin with none. */
function usePages<Item>(
  start: number,
  total: number,
  load: Props<Item>['load'],
  keys: readonly unknown[],
): { pages: ReadonlyMap<number, readonly Item[]>; error: string | undefined } {
  const [pages, setPages] = useState<ReadonlyMap<number, readonly Item[]>>(new Map());
  const [error, setError] = useState<string>();
  const asked = useRef<{ pages: Set<number>; controller: AbortController }>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    asked.current = { pages: new Set(), controller };
    setPages(new Map());
    return () => controller.abort();
  }, keys);
  const page = Math.floor(start / PAGE);
  useEffect(() => {
    const { pages: known, controller } = asked.current!;
    const most = Math.ceil(total / PAGE) - 1;
    // The page that is seen first; then its neighbours, before anybody gets there.
    for (const wanted of [page, page + 1, page - 1]) {
      if (wanted < 0 || wanted > most || known.has(wanted)) continue;
      known.add(wanted);
      load(wanted * PAGE, PAGE, controller.signal).then(
        (items) => {
          if (controller.signal.aborted) return;
          setPages((before) => new Map(before).set(wanted, items));
          setError(undefined);
        },
        (fault: Error) => {
          known.delete(wanted);
          if (!controller.signal.aborted) setError(fault.message);
        },
      );
    }
  }, [page, total, ...keys]);
  return { pages, error };
}
