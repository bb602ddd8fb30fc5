import { useCallback, useRef, useState } from 'preact/hooks';
import { useAction } from '../../lib/hooks.ts';
import { ask, callTool, failureOf, type ToolResult } from '../../lib/mcp.ts';
import { t, tx } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';

interface Outcome {
  readonly output: string;
  readonly stderr: string;
  readonly error?: { readonly message: string; readonly traceback?: string };
  readonly truncated: boolean;
}

/** Python in the sandbox, with state from cell to cell. */
export function CodeCell() {
  const [code, setCode] = useState('import pandas as pd\nprint(pd.__version__)');
  const executor = useRef<string>(undefined);
  const act = useCallback(async (signal: AbortSignal, text: string) => {
    if (!executor.current) {
      const { result } = await ask<{ result: { executor_id: string } }>('create_memory_code_runner', {}, { signal });
      executor.current = result.executor_id;
    }
    const result = await callTool('run_memory_code', { executor_id: executor.current, code: text }, { signal });
    if (!result.isError) return outputOf(result);
    // The next run begins with a fresh executor, in case this one is gone.
    executor.current = undefined;
    throw new Error(failureOf(result));
  }, []);
  const run = useAction(act);
  return (
    <section class="card" aria-label={t('Python on files')}>
      <h2>{t('Python on files')}</h2>
      <p class="hint">
        {tx("{code} gives a document's path. No network, no other files; state stays between runs.", {
          code: <code>get_memory_path(id, name)</code>,
        })}
      </p>
      <textarea
        class="code"
        rows={5}
        aria-label={t('Python code')}
        spellcheck={false}
        value={code}
        onInput={(event) => setCode(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" class="primary" disabled={run.isRunning} onClick={() => run.run(code)}>
          {run.isRunning ? t('Running …') : t('Run')}
        </button>
        {run.isRunning && (
          <button type="button" onClick={run.cancel}>
            {t('Cancel')}
          </button>
        )}
      </div>
      {run.error && <Failure error={run.error} />}
      {run.value !== undefined && (
        <pre class="text" role="status" tabIndex={0}>
          {run.value}
        </pre>
      )}
    </section>
  );
}

/** What was printed, then what went wrong; silence is said, too. */
function outputOf(result: ToolResult): string {
  const { result: outcome } = result.structuredContent as { result: Outcome };
  const { output, stderr, error, truncated } = outcome;
  const parts = [output, stderr, error && (error.traceback ?? error.message), truncated && t('… more was printed')];
  return parts.filter(Boolean).join('\n') || t('It ran and printed nothing. print(…) shows a value.');
}
