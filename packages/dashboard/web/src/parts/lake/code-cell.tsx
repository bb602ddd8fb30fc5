import type { ComponentType } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { listMemories } from '../../lib/lake/lake.ts';
import { codeFor, FIRST_CODE } from '../../lib/lake/python.ts';
import { ask, callTool, failureOf, type ToolResult } from '../../lib/mcp.ts';
import { t, tx } from '../../lib/texts.ts';
import { Failure, Loading } from '../states.tsx';
import type { PythonEditorProps } from './python-editor.tsx';

interface Outcome {
  readonly output: string;
  readonly stderr: string;
  readonly error?: { readonly message: string; readonly traceback?: string };
  readonly truncated: boolean;
}

/** Python in the sandbox, with state from cell to cell. */
export function CodeCell() {
  const [code, setCode] = useState(FIRST_CODE);
  const [given, setGiven] = useState({ text: FIRST_CODE });
  const [editor, setEditor] = useState<{ Editor: ComponentType<PythonEditorProps> }>();
  useEffect(() => {
    void import('./python-editor.tsx').then(({ PythonEditor }) => setEditor({ Editor: PythonEditor }));
  }, []);
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
        {tx(
          '{tables} gives the tables of a document as pandas frames, {path} the path of its file. There is no network. Variables stay between runs. Ctrl Enter runs.',
          { tables: <code>get_memory_tables(id)</code>, path: <code>get_memory_path(id, name)</code> },
        )}
      </p>
      <StartChoice
        onChoose={(text) => {
          setCode(text);
          setGiven({ text });
        }}
      />
      {editor ? (
        <editor.Editor given={given} onChange={setCode} onRun={() => void run.run(code)} />
      ) : (
        <Loading what={t('the editor')} />
      )}
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

const MOST_DOCUMENTS = 200;

/** The documents by name; choosing one begins a program that opens it. */
function StartChoice({ onChoose }: { onChoose: (code: string) => void }) {
  const documents = useLoaded((signal) => listMemories(0, MOST_DOCUMENTS, signal), []);
  const ready = (documents.value?.memories ?? []).filter(({ status }) => status === 'ready');
  if (ready.length === 0) return null;
  return (
    <div class="filters">
      <label class="wide">
        {t('Start with a document')}
        <select
          value=""
          onChange={({ currentTarget }) => {
            const memory = ready.find(({ id }) => id === currentTarget.value);
            if (memory) onChoose(codeFor(memory));
          }}
        >
          <option value="">{t('choose one …')}</option>
          {ready.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** What was printed, then what went wrong; silence is said, too. */
function outputOf(result: ToolResult): string {
  const { result: outcome } = result.structuredContent as { result: Outcome };
  const { output, stderr, error, truncated } = outcome;
  const parts = [output, stderr, error && (error.traceback ?? error.message), truncated && t('… more was printed')];
  return parts.filter(Boolean).join('\n') || t('It ran and printed nothing. print(…) shows a value.');
}
