import { useEffect, useRef } from 'preact/hooks';
import { useLoaded } from '../../lib/hooks.ts';
import { readMemory } from '../../lib/lake/lake.ts';
import { t } from '../../lib/texts.ts';
import { Highlight } from '../highlight.tsx';
import { Failure, Loading } from '../states.tsx';

const BEFORE = 8;
const AFTER = 100;
const FIGURE = /^-?\d[\d,]*(\.\d+)?$/;

interface Props {
  readonly id: string;
  readonly sheet: string;
  /** First and last row to mark; nothing is marked without them. */
  readonly rows: readonly [number, number] | undefined;
  readonly words: string;
}

/** Rows of a sheet under its first row, those that were found marked. */
export function SheetRows({ id, sheet, rows, words }: Props) {
  const [first, last] = rows ?? [2, 1];
  const keys = [id, sheet, first, last];
  const content = useLoaded(async (signal) => {
    const read = async (from: number, to: number) => {
      if (to < from) return [];
      const { text } = await readMemory(id, { sheet, rows: `${from}:${to}` }, signal);
      return text === '' ? [] : text.split('\n').map((line) => line.split(' | '));
    };
    const [head, before, found, after] = await Promise.all([
      read(1, 1),
      read(Math.max(2, first - BEFORE), first - 1),
      read(Math.max(2, first), last),
      read(Math.max(2, last + 1), Math.max(2, last) + AFTER),
    ]);
    return { head: head[0] ?? [], groups: [before, found, after] };
  }, keys);
  const mark = useRef<HTMLTableSectionElement>(null);
  useEffect(() => mark.current?.scrollIntoView({ block: 'nearest' }), [content.value]);
  if (content.error) return <Failure error={content.error} />;
  if (!content.value) return <Loading what={t('the rows')} />;
  const { head, groups } = content.value;
  const width = Math.max(head.length, ...groups.flat().map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => head[at] ?? '');
  const filled = groups.flat();
  const areFigures = columns.map((_, at) => {
    const cells = filled.map((row) => row[at] ?? '').filter(Boolean);
    return cells.length > 0 && cells.every((cell) => FIGURE.test(cell));
  });
  return (
    <div class="table tall" tabIndex={0} role="region" aria-label={t('Sheet')}>
      <table>
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th scope="col" key={at} class={areFigures[at] ? 'number' : ''}>
                {column || <span class="hidden">{t('column {at}', { at: at + 1 })}</span>}
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group, index) => (
          <tbody key={index} class={index === 1 ? 'found' : ''} ref={index === 1 ? mark : null}>
            {group.map((row, at) => (
              <tr key={at}>
                {columns.map((_, cell) => (
                  <td key={cell} class={FIGURE.test(row[cell] ?? '') ? 'number' : ''}>
                    <Highlight text={row[cell] ?? ''} words={words} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}
