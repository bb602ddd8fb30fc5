import { useCallback, useState } from 'preact/hooks';
import { duration } from '../../lib/format.ts';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import type { Progress } from '../../lib/mcp.ts';
import { askMsty, type Benchmark, type ModelSpeed } from '../../lib/msty.ts';
import { plural, t, tx } from '../../lib/texts.ts';
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
      <h2>{t('Speed of models')}</h2>
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
          {t('Model to measure')}
          <select
            value={model}
            disabled={models.length === 0}
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            {models.length === 0 && <option value="">{t('no model is running')}</option>}
            {models.map((id) => (
              <option key={id}>{id}</option>
            ))}
          </select>
        </label>
        <label class="narrow">
          {t('Runs')}
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
          {benchmark.isRunning ? t('Measuring …') : t('Benchmark')}
        </button>
        {benchmark.isRunning && (
          <button type="button" onClick={benchmark.cancel}>
            {t('Cancel')}
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
    value === null ? [] : [{ name, value, text: t('{value} tokens/s', { value }) }],
  );
  const slow = speeds.flatMap(({ model_id: name, avg_latency_ms: value }) =>
    value === null ? [] : [{ name, value, text: duration(value) }],
  );
  if (fast.length + slow.length === 0) {
    return (
      <p class="hint">
        {t('No model has been asked through Atoll yet. A benchmark or a chat gives the first figures.')}
      </p>
    );
  }
  return (
    <div class="two even">
      <div>
        <h3>{t('Tokens per second, last 30 days')}</h3>
        <Bars bars={fast} label={t('Tokens per second by model')} />
      </div>
      <div>
        <h3>{t('Time of a whole answer, last 30 days')}</h3>
        <Bars bars={slow} label={t('Latency by model')} tone="second" />
      </div>
    </div>
  );
}

function Measured({ benchmark }: { benchmark: Benchmark }) {
  const { model_id: id, results, overall_avg_tokens_per_sec: overall, rating } = benchmark;
  const named = results.map((result) => ({
    ...result,
    name: t('{prompt_length} tokens', { prompt_length: result.prompt_length }),
  }));
  return (
    <div role="status">
      <p>
        {tx('{id}: {overall} tokens/s, {rating}', { id: <strong>{id}</strong>, overall, rating: rating.toLowerCase() })}
        {benchmark.token_counts === 'estimated' && t(' (tokens are estimated)')}
        {benchmark.failed_runs > 0 && t('; {runs} failed', { runs: plural(benchmark.failed_runs, 'run') })}.
      </p>
      <div class="two even">
        <div>
          <h3>{t('Tokens per second by length of prompt')}</h3>
          <Bars
            label={t('Tokens per second by length of prompt')}
            bars={named.map(({ name, avg_tokens_per_sec: value }) => ({
              name,
              value,
              text: t('{value} tokens/s', { value }),
            }))}
          />
        </div>
        <div>
          <h3>{t('Time of an answer by length of prompt')}</h3>
          <Bars
            label={t('Latency by length of prompt')}
            tone="second"
            bars={named.map(({ name, avg_latency_ms: value }) => ({ name, value, text: duration(value) }))}
          />
        </div>
      </div>
    </div>
  );
}
