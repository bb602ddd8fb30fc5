import { useCallback, useState } from 'preact/hooks';
import { duration } from '../lib/format.ts';
import { useAction, useLoaded } from '../lib/hooks.ts';
import { ask } from '../lib/mcp.ts';
import { linkTo } from '../lib/route.ts';
import { listModels } from '../lib/tensors.ts';
import { Failure } from './states.tsx';
import { Picture } from './tensor-view.tsx';

interface RunAnswer {
  readonly uuid: string;
  readonly name: string;
  readonly shape: unknown;
  readonly dtype: string;
  readonly duration_ms: number;
}

/** Runs a model on chosen tensors and shows before and after. */
export function ModelRunner() {
  const models = useLoaded(listModels, []);
  const [model, setModel] = useState('');
  const [inputs, setInputs] = useState('');
  const act = useCallback(
    async (signal: AbortSignal, name: string, text: string) =>
      ask<RunAnswer>('run_model', { model: name, inputs: inputsOf(text) }, { signal }),
    [],
  );
  const run = useAction(act);
  const runnable = models.value?.filter(({ has_code: hasCode }) => hasCode) ?? [];
  const first = Object.values(inputsOf(inputs))[0];
  return (
    <section class="card">
      <h2>Run a model</h2>
      {runnable.length === 0 ? (
        <p class="hint">
          There is no model with code yet; upload one with <a href={linkTo('tools', 'upload_model')}>upload_model</a>.
        </p>
      ) : (
        <form
          class="filters"
          onSubmit={(event) => {
            event.preventDefault();
            void run.run(model || runnable[0]!.user_name, inputs);
          }}
        >
          <label>
            Model
            <select value={model || runnable[0]!.user_name} onChange={(event) => setModel(event.currentTarget.value)}>
              {runnable.map(({ uuid, user_name: name }) => (
                <option key={uuid}>{name}</option>
              ))}
            </select>
          </label>
          <label>
            Tensors
            <input
              required
              placeholder="role=name, role=name, or a name"
              value={inputs}
              onInput={(event) => setInputs(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary" disabled={run.isRunning}>
            {run.isRunning ? 'Running …' : 'Run'}
          </button>
          {run.isRunning && (
            <button type="button" onClick={run.cancel}>
              Cancel
            </button>
          )}
        </form>
      )}
      {run.error && <Failure error={run.error} />}
      {run.value && (
        <div class="two even">
          <figure>
            <figcaption>Before: {first}</figcaption>
            {first && <Picture id={first} kind="auto" slice="" />}
          </figure>
          <figure>
            <figcaption>
              After: <a href={linkTo('tensors', run.value.uuid)}>{run.value.name}</a>, in{' '}
              {duration(run.value.duration_ms)}
            </figcaption>
            <Picture id={run.value.uuid} kind="auto" slice="" />
          </figure>
        </div>
      )}
    </section>
  );
}

/** `image=cat, mask=edges` by role; a bare name goes by itself. */
function inputsOf(text: string): Record<string, string> {
  const pairs = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return Object.fromEntries(
    pairs.map((part) =>
      part.includes('=') ? (part.split('=').map((word) => word.trim()) as [string, string]) : [part, part],
    ),
  );
}
