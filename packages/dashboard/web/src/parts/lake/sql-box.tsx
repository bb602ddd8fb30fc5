import { useCallback, useState } from 'preact/hooks';
import { plural } from '../../lib/format.ts';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { ask } from '../../lib/mcp.ts';
import { DataTable } from '../data-table.tsx';
import { Failure } from '../states.tsx';

interface TableInfo {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly n: number;
  readonly truncated: boolean;
  readonly tables: readonly TableInfo[];
}

const query = async (sql: string, signal: AbortSignal) =>
  (await ask<{ result: SqlAnswer }>('query_memory_tables', { sql }, { signal })).result;

/** SQL over every sheet and CSV of the lake. */
export function SqlBox({ round }: { round: number }) {
  const [sql, setSql] = useState('');
  const known = useLoaded(async (signal) => (await query('SELECT 1', signal)).tables, [round]);
  const act = useCallback((signal: AbortSignal, text: string) => query(text, signal), []);
  const answer = useAction(act);
  const tables = known.value ?? [];
  return (
    <section class="card" aria-label="SQL on tables">
      <h2>SQL on tables</h2>
      <p class="hint">Each sheet and CSV is a table. Nothing you run here changes a file.</p>
      {known.error && <Failure error={known.error} />}
      {known.value && tables.length === 0 && <p>There is no table yet: drop a workbook or a CSV file in above.</p>}
      <div class="actions">
        {tables.slice(0, 12).map(({ table, columns, rows }) => (
          <button
            type="button"
            class="chip"
            key={table}
            title={`${columns.join(', ')} · ${plural(rows, 'row')}`}
            onClick={() => setSql(`SELECT * FROM "${table}" LIMIT 20`)}
          >
            {table}
          </button>
        ))}
        {tables.length > 12 && <span class="hint">and {tables.length - 12} more</span>}
      </div>
      <textarea
        class="code"
        rows={3}
        aria-label="SQL"
        placeholder={tables[0] ? `SELECT * FROM "${tables[0].table}" LIMIT 20` : 'SELECT …'}
        spellcheck={false}
        value={sql}
        onInput={(event) => setSql(event.currentTarget.value)}
      />
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={answer.isRunning || sql.trim() === ''}
          onClick={() => answer.run(sql)}
        >
          {answer.isRunning ? 'Running …' : 'Run'}
        </button>
        {answer.isRunning && (
          <button type="button" onClick={answer.cancel}>
            Cancel
          </button>
        )}
      </div>
      {answer.error && <Failure error={answer.error} />}
      {answer.value && (
        <>
          <p class="hint" role="status">
            {plural(answer.value.n, 'row')}
            {answer.value.truncated && ', of which the first are shown'}
          </p>
          {answer.value.n > 0 && <DataTable label="Result" columns={answer.value.columns} rows={answer.value.rows} />}
        </>
      )}
    </section>
  );
}
