import { useState } from 'preact/hooks';
import type { Column, TableInfo } from '../../lib/lake/sql.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { Breakable } from '../breakable.tsx';

interface Props {
  readonly tables: readonly TableInfo[];
  readonly onOpen: (table: TableInfo) => void;
  readonly onInsert: (name: string) => void;
}

/** The tables of the lake, each with its columns and their types. */
export function TableBrowser({ tables, onOpen, onInsert }: Props) {
  const [words, setWords] = useState('');
  const shown = tables.filter(({ table, memory_name: file, columns }) =>
    `${table} ${file} ${columns.map(({ name }) => name).join(' ')}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <section class="tables" aria-label={t('Tables')}>
      <input
        type="search"
        aria-label={t('Search tables and columns')}
        placeholder={t('Search {tables}', { tables: plural(tables.length, 'table') })}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      <ul>
        {shown.map((table, index) => (
          <li key={table.table}>
            <details open={index === 0 && shown.length < 6}>
              <summary>
                <strong>
                  <Breakable text={table.table} />
                </strong>{' '}
                <span class="hint">{plural(table.rows, 'row')}</span>
              </summary>
              <p class="hint">
                {tx('from {memory_name}', {
                  memory_name: <a href={linkTo('lake', table.memory_id)}>{table.memory_name}</a>,
                })}
                {table.sheet && `, ${table.sheet}`}
              </p>
              <button type="button" onClick={() => onOpen(table)}>
                {t('Show rows')}
                <span class="hidden"> {t('of {table}', { table: table.table })}</span>
              </button>
              <ul class="columns">
                {table.columns.map((column) => (
                  <li key={column.name}>
                    <button type="button" class="quiet" onClick={() => onInsert(column.name)}>
                      {column.name}
                    </button>
                    <span class={`tag ${isMixed(column) ? 'warn' : ''}`} title={aboutOf(column)}>
                      {[column.type ?? 'text', column.unit].filter(Boolean).join(' ')}
                      {isMixed(column) && `, ${t('mixed')}`}
                    </span>
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="hint">{t('No table or column has this in its name.')}</p>}
    </section>
  );
}

const isMixed = ({ share = 1 }: Column) => share < 1;

function aboutOf({ share = 1, examples = [], note }: Column): string {
  const mixed =
    share < 1 &&
    t('{value} % are of this type; others are {examples}', {
      value: Math.round(100 * share),
      examples: examples.join(', '),
    });
  return [mixed, note].filter(Boolean).join('. ');
}
