import { useCallback, useState } from 'preact/hooks';
import { plural } from '../lib/format.ts';
import { useAction } from '../lib/hooks.ts';
import { ask } from '../lib/mcp.ts';
import { DataTable } from './data-table.tsx';
import { Failure } from './states.tsx';

interface SqlAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly n: number;
  readonly truncated: boolean;
  readonly tables: readonly unknown[];
}

/** SQL over every sheet and CSV of the lake. */
export function SqlBox() {
  const [sql, setSql] = useState('SELECT name FROM sqlite_master');
  const act = useCallback(
    async (signal: AbortSignal, text: string) =>
      (await ask<{ result: SqlAnswer }>('query_memory_tables', { sql: text }, { signal })).result,
    [],
  );
  const query = useAction(act);
  return (
    <section class="card">
      <h2>SQL on tables</h2>
      <p class="hint">Each sheet and CSV is a table. Nothing you run here changes a file.</p>
      <textarea
        class="code"
        rows={3}
        aria-label="SQL"
        value={sql}
        onInput={(event) => setSql(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" class="primary" disabled={query.isRunning} onClick={() => query.run(sql)}>
          Run
        </button>
        {query.isRunning && (
          <button type="button" onClick={query.cancel}>
            Cancel
          </button>
        )}
      </div>
      {query.error && <Failure error={query.error} />}
      {query.value && (
        <>
          <p class="hint">
            {plural(query.value.n, 'row')}
            {query.value.truncated && ', cut'}
          </p>
          <DataTable columns={query.value.columns} rows={query.value.rows} />
          <details>
            <summary>Tables there are</summary>
            <pre class="text">
              {query.value.tables
                .map((table) => (typeof table === 'string' ? table : JSON.stringify(table)))
                .join('\n')}
            </pre>
          </details>
        </>
      )}
    </section>
  );
}
