import {
  type CodeRuntime,
  type CodeSession,
  type RunResult,
  SandboxError,
  type SqlOptions,
  type SqlSession,
} from '@atoll-mcp/sandbox';
import { codeUnavailable, runnerBusy } from '../errors.ts';
import type {
  CodeExecutor,
  CodeLanguage,
  CodeOutcome,
  CodeRunner,
  FindFile,
  FindTables,
  RunnerEnd,
  SqlTableInput,
} from './interface.ts';
import { memoryIdOf, TABLES_PRELUDE, TableFiles } from './table-files.ts';

/** Creates runtimes on first use. */
interface Runtimes {
  python(): CodeRuntime;
  javascript(): CodeRuntime;
  sql(): CodeRuntime<SqlOptions, SqlSession>;
}

const ENDS: Readonly<Record<NonNullable<CodeSession['ended']>, RunnerEnd>> = {
  closed: 'closed',
  idle: 'expired',
  replaced: 'expired',
  killed: 'killed',
};

/** Runs code and SQL in the sandbox. Code can read only the files that `find` returns, under their names in the lake. */
export class SandboxRunner implements CodeRunner {
  readonly #runtimes: Runtimes;
  readonly #find: FindFile;
  readonly #tables: TableFiles;
  readonly #started = new Map<keyof Runtimes, { close(): Promise<void> }>();

  constructor(runtimes: Runtimes, find: FindFile, tables: FindTables) {
    this.#runtimes = runtimes;
    this.#find = find;
    this.#tables = new TableFiles(tables);
  }

  async open(language: CodeLanguage, maySee?: (memoryId: string) => Promise<boolean>): Promise<CodeExecutor> {
    const runtime = this.#runtime(language, () => this.#runtimes[language]());
    const inputs = new Set<string>();
    const find = async (id: string) => {
      if (maySee && !(await maySee(memoryIdOf(id)))) return undefined;
      const file = await (this.#tables.find(id) ?? this.#find(id));
      if (file) inputs.add(memoryIdOf(id));
      return file;
    };
    const files = { functionName: 'get_memory_path', find };
    const session = await withToolErrors(language, () => runtime.open({ purpose: 'executor', files }));
    if (language === 'python') await session.run(TABLES_PRELUDE);
    return {
      language,
      inputs,
      get ended() {
        return session.ended && ENDS[session.ended];
      },
      run: async (code, { onOutput, ...options }) =>
        outcomeOf(
          await session.run(code, {
            ...options,
            collectFiles: true,
            ...(onOutput && { onOutput: (_stream, text) => onOutput(text) }),
          }),
        ),
      close: () => session.close(),
    };
  }

  async query(
    tables: readonly SqlTableInput[],
    sql: string,
    { maxRows, signal }: { maxRows: number; signal?: AbortSignal },
  ) {
    const runtime = this.#runtime('sql', () => this.#runtimes.sql());
    const session = await withToolErrors('SQL', () => runtime.open({ tables }));
    try {
      const result = await session.run(sql, { maxRows, ...(signal && { signal }) });
      return {
        columns: result.columns,
        rows: result.rows,
        truncated: result.rowsTruncated,
        ...(result.failure && { error: result.failure.message }),
      };
    } finally {
      await session.close();
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#started.values()].map((runtime) => runtime.close()));
    this.#started.clear();
    await this.#tables.close();
  }

  #runtime<Runtime extends { close(): Promise<void> }>(kind: keyof Runtimes, make: () => Runtime): Runtime {
    const known = this.#started.get(kind);
    // Safe: each entry was created by the factory of its kind.
    if (known) return known as Runtime;
    const made = make();
    this.#started.set(kind, made);
    return made;
  }
}

async function withToolErrors<T>(language: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    throw error.code === 'busy' ? runnerBusy() : codeUnavailable(language, error.message, error.fix);
  }
}

function outcomeOf(result: RunResult): CodeOutcome {
  const { ok, stdout, stderr, truncated, durationMs, failure, statePreserved } = result;
  return {
    ok,
    stdout,
    stderr,
    truncated: truncated.stdout || truncated.stderr,
    durationMs,
    statePreserved,
    files: result.files ?? [],
    refusedFiles: result.refusedFiles ?? [],
    ...(failure && {
      error: {
        kind: failure.kind,
        message: withChartHint(failure.message),
        ...(failure.traceback && { traceback: failure.traceback }),
      },
    }),
  };
}

/** Points code that imports a plotting library to the chart tool. */
const withChartHint = (message: string): string =>
  /No module named '(?:matplotlib|seaborn|plotly|altair|bokeh)\b/.test(message)
    ? `${message}. Use the tool chart_memory_tables to draw a chart`
    : message;
