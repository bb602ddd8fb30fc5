import { t } from '../lib/texts.ts';
import { CodeCell } from '../parts/lake/code-cell.tsx';
import { CollectionsView } from '../parts/lake/collections-view.tsx';
import { Documents } from '../parts/lake/documents.tsx';
import { MemoryView } from '../parts/lake/memory-view.tsx';
import { NotesView } from '../parts/lake/notes-view.tsx';
import { TablesView } from '../parts/lake/tables-view.tsx';
import { Absent } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { find, has, type PageProps } from './page.ts';

const TABS = [
  { key: '', title: t('Documents') },
  { key: 'tables', title: t('Tables and SQL') },
  { key: 'notes', title: t('Notes') },
  { key: 'collections', title: t('Collections') },
  { key: 'code', title: 'Python' },
];

/** Drop files in, search them as you type, open the place, compute on them. */
export function Lake({ tools, rest, query }: PageProps) {
  const [chosen = ''] = rest;
  const isPart = TABS.some(({ key }) => key === chosen);
  if (!has(tools, 'search_memory')) return <Absent server="memorylake" />;
  return (
    <>
      <Tabs label={t('Parts of the lake')} page="lake" tabs={TABS} chosen={isPart ? chosen : ''} />
      {chosen === '' && <Documents query={query} />}
      {chosen === 'tables' && <TablesView query={query} chart={find(tools, 'chart_memory_tables')} />}
      {chosen === 'notes' && <NotesView query={query} />}
      {chosen === 'collections' && <CollectionsView />}
      {chosen === 'code' && <CodeCell />}
      {!isPart && <MemoryView key={chosen} id={chosen} query={query} />}
    </>
  );
}
