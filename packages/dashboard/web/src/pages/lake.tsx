import { linkTo } from '../lib/route.ts';
import { CodeCell } from '../parts/lake/code-cell.tsx';
import { Documents } from '../parts/lake/documents.tsx';
import { MemoryView } from '../parts/lake/memory-view.tsx';
import { TablesView } from '../parts/lake/tables-view.tsx';
import { Absent } from '../parts/states.tsx';
import { has, type PageProps } from './page.ts';

const TABS = [
  { key: '', title: 'Documents' },
  { key: 'tables', title: 'Tables and SQL' },
  { key: 'code', title: 'Python' },
];

/** Drop files in, search them as you type, open the place, compute on them. */
export function Lake({ tools, rest, query }: PageProps) {
  const [chosen = ''] = rest;
  if (!has(tools, 'search_memory')) return <Absent server="memorylake" />;
  return (
    <>
      <nav class="tabs" aria-label="Parts of the lake">
        {TABS.map(({ key, title }) => (
          <a
            class="tab"
            key={key}
            href={key ? linkTo('lake', key) : '#/lake'}
            aria-current={key === chosen ? 'page' : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {chosen === '' && <Documents query={query} />}
      {chosen === 'tables' && <TablesView query={query} />}
      {chosen === 'code' && <CodeCell />}
      {!TABS.some(({ key }) => key === chosen) && <MemoryView key={chosen} id={chosen} query={query} />}
    </>
  );
}
