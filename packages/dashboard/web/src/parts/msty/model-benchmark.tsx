import { useCallback, useState } from 'preact/hooks';
import { duration, plural } from '../../lib/format.ts';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import type { Progress } from '../../lib/mcp.ts';
import { askMsty, type Benchmark, type ModelSpeed } from '../../lib/msty.ts';
import { Bars } from '../bars.tsx';
import { ProgressLine } from '../progress-line.tsx';
import { Failure } from '../states.tsx';

/** How fast each model is, from every call so far, and a benchmark that measures one anew. */
export function ModelBenchmark({ models }: { models: readonly string[] }) {
  const [chosen, setChosen] = useState('');
  const [runs, setRuns] = useState(2);
  const [progress, setProgress] = useState<Progress>();
  const past = useLoaded(
    async (signal) =>
      (await askMsty<{ models: ModelSpeed[] }>('get_model_performance_metrics', { days: 30 }, { signal })).models,
    [],
  );
  const act = useCallback(
    async (signal: AbortSignal, model: string, count: number) => {
      setProgress(undefined);
      const args = { model_id: model, num_runs: count };
      const measured = await askMsty<Benchmark>('benchmark_model', args, { signal, onProgress: setProgress });
      past.reload();
      return measured;
    },
    [past.reload],
  );
  const benchmark = useAction(act);
  const model = chosen || models[0] || '';
  return (
    <section class="card">
      <h2>Speed of models</h2>
      {past.error && <Failure error={past.error} />}
      <PastSpeeds speeds={past.value ?? []} />
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          void benchmark.run(model, runs);
        }}
      >
        <label>
          Model to measure
          <select
            value={model}
            disabled={models.length === 0}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {models.length === 0 && <option value="">no model is running</option>}
            {models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label class="narrow">
          Runs
          <input
            type="number"
            min={1}
            max={20}
            required
            value={runs}
            onInput={(event) => setRuns(event.currentTarget.valueAsNumber)}
          />
        </label>
        <button type="submit" class="primary" disabled={benchmark.isRunning || model === ''}>
          {benchmark.isRunning ? 'Measuring …' : 'Benchmark'}
        </button>
        {benchmark.isRunning && (
          <button type="button" onClick={benchmark.cancel}>
            Cancel
          </button>
        )}
      </form>
      {benchmark.isRunning && <ProgressLine progress={progress} />}
      {benchmark.error && <Failure error={benchmark.error} />}
      {benchmark.value && !benchmark.isRunning && <Measured benchmark={benchmark.value} />}
    </section>
  );
}

function PastSpeeds({ speeds }: { speeds: readonly ModelSpeed[] }) {
  const fast = speeds.flatMap(({ model_id: name, avg_tokens_per_sec: value }) =>
    value === null ? [] : [{ name, value, text: `${value} tokens/s` }],
  );
  const slow = speeds.flatMap(({ model_id: name, avg_latency_ms: value }) =>
    value === null ? [] : [{ name, value, text: duration(value) }],
  );
  if (fast.length + slow.length === 0) {
    return (
      <p class="hint">No model has been asked through Atoll yet. A benchmark or a chat gives the first figures.</p>
    );
  }
  return (
    <div class="two even">
      <div>
        <h3>Tokens a second, last 30 days</h3>
        <Bars bars={fast} label="Tokens a second by model" />
      </div>
      <div>
        <h3>Time of a whole answer, last 30 days</h3>
        <Bars bars={slow} label="Latency by model" tone="second" />
      </div>
    </div>
  );
}

function Measured({ benchmark }: { benchmark: Benchmark }) {
  const { model_id: id, results, overall_avg_tokens_per_sec: overall, rating } = benchmark;
  const named = results.map((result) => ({ ...result, name: `${result.prompt_length} tokens` }));
  return (
    <div role="status">
      <p>
        <strong>{id}</strong>: {overall} tokens/s, {rating.toLowerCase()}
        {benchmark.token_counts === 'estimated' && ' (tokens are estimated)'}
        {benchmark.failed_runs > 0 && `; ${plural(benchmark.failed_runs, 'run')} failed`}.
      </p>
      <div class="two even">
        <div>
          <h3>Tokens a second by length of prompt</h3>
          <Bars
            label="Tokens a second by length of prompt"
            bars={named.map(({ name, avg_tokens_per_sec: value }) => ({ name, value, text: `${value} tokens/s` }))}
          />
        </div>
        <div>
          <h3>Time of an answer by length of prompt</h3>
          <Bars
            label="Latency by length of prompt"
            tone="second"
            bars={named.map(({ name, avg_latency_ms: value }) => ({ name, value, text: duration(value) }))}
          />
        </div>
      </div>
    </div>
  );
}
