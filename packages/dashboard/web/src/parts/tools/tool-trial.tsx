import { useCallback, useState } from 'preact/hooks';
import { asCurl, clientConfig } from '../../lib/copies.ts';
import { duration, time } from '../../lib/format.ts';
import { useAction } from '../../lib/hooks.ts';
import { recall, remember, type Trial } from '../../lib/kept/trials.ts';
import { callTool, type Progress, type Tool, type ToolResult } from '../../lib/mcp.ts';
import { exampleOf, missingOf } from '../../lib/schema.ts';
import { t, tx } from '../../lib/texts.ts';
import { CopyButton } from '../copy-button.tsx';
import { ProgressLine } from '../progress-line.tsx';
import { Failure } from '../states.tsx';
import { InputRequests } from './input-requests.tsx';
import { RawAnswer } from './raw-answer.tsx';
import { ResultView } from './result-view.tsx';
import { SchemaForm } from './schema-form.tsx';

interface Outcome {
  readonly result: ToolResult;
  readonly ms: number;
}

/** One tool: its form, its answer, what went over the wire, and what was tried before. */
export function ToolTrial({ tool }: { tool: Tool }) {
  const [args, setArgs] = useState<Record<string, unknown>>(() =>
    // One click must not delete what an example happens to name.
    tool.annotations?.destructiveHint ? {} : exampleOf(tool.inputSchema),
  );
  const [progress, setProgress] = useState<Progress>();
  const [past, setPast] = useState<readonly Trial[]>(() => recall(tool.name));
  const act = useCallback(
    async (
      signal: AbortSignal,
      given: Record<string, unknown>,
      round?: { inputResponses: Record<string, unknown>; requestState?: string },
    ): Promise<Outcome> => {
      setProgress(undefined);
      const started = performance.now();
      const result = await callTool(tool.name, given, { signal, onProgress: setProgress, isPersons: true, ...round });
      const ms = performance.now() - started;
      if (result.resultType !== 'input_required')
        setPast(remember({ tool: tool.name, args: given, isError: result.isError ?? false, ms, at: Date.now() }));
      return { result, ms };
    },
    [tool],
  );
  const call = useAction(act);
  const missing = missingOf(tool.inputSchema, args);
  const params = { name: tool.name, arguments: args };
  return (
    <section class="trial" aria-label={tool.title ?? tool.name}>
      <h2>{tool.title ?? tool.name}</h2>
      <p>{tool.description}</p>
      <p class="tags">
        <code>{tool.name}</code>
        {tool.annotations?.readOnlyHint && <span class="tag good">{t('read-only')}</span>}
        {tool.annotations?.destructiveHint && <span class="tag warn">{t('can replace or delete')}</span>}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (event.currentTarget.checkValidity()) void call.run(args);
        }}
      >
        <SchemaForm schema={tool.inputSchema} value={args} onChange={setArgs} />
        <div class="actions">
          <button type="submit" class="primary" disabled={call.isRunning}>
            {call.isRunning ? t('Running …') : t('Run')}
          </button>
          {call.isRunning && (
            <button type="button" onClick={call.cancel}>
              {t('Cancel')}
            </button>
          )}
          {missing.length > 0 && (
            <span class="hint">{t('still empty: {missing}', { missing: missing.join(', ') })}</span>
          )}
        </div>
      </form>
      {call.isRunning && <ProgressLine progress={progress} />}
      {call.error && <Failure error={call.error} />}
      {call.value?.result.resultType === 'input_required' ? (
        <InputRequests result={call.value.result} onAnswer={(round) => call.run(args, round)} />
      ) : (
        call.value && (
          <>
            <h3>
              {tx('Answer {ms}', {
                ms: (
                  <span class="hint" role="status">
                    {t('after {ms}', { ms: duration(call.value.ms) })}
                  </span>
                ),
              })}
            </h3>
            <ResultView result={call.value.result} tool={tool.name} />
            <RawAnswer key={call.value.ms} result={call.value.result} />
          </>
        )
      )}
      <details>
        <summary>{t('Raw request')}</summary>
        <pre class="code" tabIndex={0}>
          {JSON.stringify({ method: 'tools/call', params }, null, 2)}
        </pre>
        <div class="actions">
          <CopyButton label={t('Copy as JSON')} text={() => JSON.stringify(params, null, 2)} />
          <CopyButton label={t('Copy as curl')} text={() => asCurl(params)} />
          <CopyButton label={t('Copy client config')} text={() => JSON.stringify(clientConfig(), null, 2)} />
        </div>
      </details>
      {past.length > 0 && (
        <details>
          <summary>{t('Tried before ({past})', { past: past.length })}</summary>
          <ul class="history">
            {past.map((trial) => (
              <li key={trial.at}>
                <button type="button" class="quiet" onClick={() => setArgs(trial.args)}>
                  {trial.isError ? '✗' : '✓'} {time(trial.at)} · {duration(trial.ms)} ·{' '}
                  <code>{JSON.stringify(trial.args).slice(0, 80)}</code>
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
