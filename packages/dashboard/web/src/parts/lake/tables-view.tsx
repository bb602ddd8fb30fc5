import type { ComponentType } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { listTables, querySql, sqlName, type TableInfo } from '../../lib/lake/sql.ts';
import type { Tool } from '../../lib/mcp.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { CopyButton } from '../copy-button.tsx';
import { DataTable } from '../data-table.tsx';
import { Empty, Failure, Loading } from '../states.tsx';
import { Chart } from './chart.tsx';
import type { SqlEditorProps } from './sql-editor.tsx';
import { TableBrowser } from './table-browser.tsx';

/** Every table of the lake with its columns, and SQL over them. */
export function TablesView({ query, chart }: { query: URLSearchParams; chart: Tool | undefined }) {
  const [sql, setSql] = useState(query.get('sql') ?? '');
  const [given, setGiven] = useState({ text: sql });
  const [editor, setEditor] = useState<{ Editor: ComponentType<SqlEditorProps> }>();
  const tables = useLoaded(listTables, []);
  const act = useCallback(
    async (signal: AbortSignal, text: string) => ({ ...(await querySql(text, signal)), sql: text }),
    [],
  );
  const answer = useAction(act);
  useEffect(() => {
    void import('./sql-editor.tsx').then(({ SqlEditor }) => setEditor({ Editor: SqlEditor }));
  }, []);
  if (tables.error || tables.value?.length === 0) {
    return (
      <Empty title={t('No tables yet')}>
        <p>
          {tx('Each sheet, CSV file and table of a document is a table here. <a>Drop a workbook in</a>.', {
            a: (text) => <a href="#/lake">{text}</a>,
          })}
        </p>
        {tables.error && <p class="hint">{tables.error}</p>}
      </Empty>
    );
  }
  if (!tables.value || !editor) return <Loading what={t('the tables')} />;
  const run = () => {
    if (sql.trim()) void answer.run(sql);
  };
  const open = ({ table }: TableInfo) => {
    const text = `SELECT * FROM ${sqlName(table)} LIMIT 20`;
    setGiven({ text });
    void answer.run(text);
  };
  const { value } = answer;
  return (
    <div class="two">
      <TableBrowser
        tables={tables.value}
        onOpen={open}
        onInsert={(name) => setGiven({ text: `${sql}${/\s$|^$/.test(sql) ? '' : ' '}${sqlName(name)}` })}
      />
      <section class="card" aria-label={t('SQL on tables')}>
        <h2>{t('SQL on tables')}</h2>
        <p class="hint">{t('Nothing you run here changes a file. Ctrl Space completes names, Ctrl Enter runs.')}</p>
        <editor.Editor given={given} tables={tables.value} onChange={setSql} onRun={run} />
        <div class="actions">
          <button type="button" class="primary" disabled={answer.isRunning || sql.trim() === ''} onClick={run}>
            {answer.isRunning ? t('Running …') : t('Run')}
          </button>
          {answer.isRunning && (
            <button type="button" onClick={answer.cancel}>
              {t('Cancel')}
            </button>
          )}
          {sql.trim() && (
            <CopyButton
              label={t('Copy link')}
              text={() => `${location.origin}/#/lake/tables?${new URLSearchParams({ sql })}`}
            />
          )}
        </div>
        {/* The tables that it lists behind that stand beside it. */}
        {answer.error && <Failure error={answer.error.split(' Tables: ')[0]!} />}
        {value && (
          <>
            <p class="hint" role="status">
              {plural(value.n, 'row')}
              {value.truncated && t(', of which the first are shown')}
            </p>
            {value.notice && <p class="notice">{value.notice}</p>}
            {value.n > 0 && (
              <>
                <DataTable label={t('Result')} columns={value.columns} rows={value.rows} />
                <Chart key={value.sql} tool={chart} {...value} />
              </>
            )}
          </>
        )}
      </section>
    </div>
  );
}
