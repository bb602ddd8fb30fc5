import { useCallback, useRef, useState } from 'preact/hooks';
import { useAction } from '../lib/hooks.ts';
import { ask, callTool, failureOf, type ToolResult, textOf } from '../lib/mcp.ts';
import { Failure } from './states.tsx';

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
    <section class="card">
      <h2>Python on files</h2>
      <p class="hint">
        <code>get_memory_path(id, name)</code> gives a document's path. No network, no other files; state stays between
        runs.
      </p>
      <textarea
        class="code"
        rows={5}
        aria-label="Python code"
        spellcheck={false}
        value={code}
        onInput={(event) => setCode(event.currentTarget.value)}
      />
      <div class="actions">
        <button type="button" class="primary" disabled={run.isRunning} onClick={() => run.run(code)}>
          {run.isRunning ? 'Running …' : 'Run'}
        </button>
        {run.isRunning && (
          <button type="button" onClick={run.cancel}>
            Cancel
          </button>
        )}
      </div>
      {run.error && <Failure error={run.error} />}
      {run.value !== undefined && <pre class="text">{run.value}</pre>}
    </section>
  );
}

function outputOf(result: ToolResult): string {
  const { result: body } = (result.structuredContent ?? {}) as { result?: unknown };
  if (typeof body === 'string') return body;
  const { stdout, stderr, output, error } = (body ?? {}) as Record<string, string | undefined>;
  return [stdout ?? output, stderr, error].filter(Boolean).join('\n') || textOf(result);
}
