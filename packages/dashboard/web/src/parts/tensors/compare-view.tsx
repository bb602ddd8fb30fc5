import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Comparison, compare } from '../../lib/compare.ts';
import { useAction } from '../../lib/hooks.ts';
import { t } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';
import { CheckpointDifferences, TensorDifferences } from './differences.tsx';
import { TensorField } from './tensor-field.tsx';

/** Two tensors or two checkpoints side by side; the address holds what is compared. */
export function CompareView({ query }: { query: URLSearchParams }) {
  const [kind, setKind] = useState<Comparison['kind']>(query.get('kind') === 'checkpoints' ? 'checkpoints' : 'tensors');
  const [a, setA] = useState(query.get('a') ?? '');
  const [b, setB] = useState(query.get('b') ?? '');
  const [more, setMore] = useState(query.get('more') ?? '');
  const act = useCallback(
    (signal: AbortSignal, kind: Comparison['kind'], args: Record<string, unknown>) => compare(kind, args, signal),
    [],
  );
  const answer = useAction(act);
  const isTensors = kind === 'tensors';
  const start = () => {
    const limit = more.trim() === '' ? {} : isTensors ? { tolerance: Number(more) } : { pattern: more.trim() };
    void answer.run(kind, { a: a.trim(), b: b.trim(), ...limit });
  };
  useEffect(() => {
    if (a && b) start();
  }, []);
  const choose = (next: Comparison['kind']) => {
    setKind(next);
    setMore('');
  };
  return (
    <section aria-label={t('Compare')}>
      <form
        class="card form"
        onSubmit={(event) => {
          event.preventDefault();
          const params = new URLSearchParams({ kind, a, b, ...(more && { more }) });
          history.replaceState(null, '', `#/tensors/compare?${params}`);
          start();
        }}
      >
        <div class="actions" role="group" aria-label={t('What to compare')}>
          <button type="button" aria-pressed={isTensors} onClick={() => choose('tensors')}>
            {t('Two tensors')}
          </button>
          <button type="button" aria-pressed={!isTensors} onClick={() => choose('checkpoints')}>
            {t('Two checkpoints')}
          </button>
        </div>
        <div class="filters">
          <TensorField label={isTensors ? t('Before') : t('Checkpoint before')} value={a} onInput={setA} />
          <TensorField label={isTensors ? t('After') : t('Checkpoint after')} value={b} onInput={setB} />
          <label class="choice">
            {isTensors ? t('Tolerance') : t('Only names like')}
            <input
              {...(isTensors ? { type: 'number', min: 0, step: 'any', placeholder: '0' } : { placeholder: '*' })}
              value={more}
              onInput={(event) => setMore(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary" disabled={answer.isRunning}>
            {answer.isRunning ? t('Comparing …') : t('Compare')}
          </button>
        </div>
        <p class="hint">
          {isTensors
            ? t('By name, name@2 for a version, or uuid.')
            : t('By the name that its tensors begin with, name@2 for the second import of it, or a pattern with *.')}
        </p>
      </form>
      {answer.error && <Failure error={answer.error} />}
      {answer.value && (
        <>
          <p class="notice" role="status">
            {answer.value.message}
          </p>
          {answer.value.picture && (
            <img class="picture chart" src={answer.value.picture} alt={t('The differences as the server drew them')} />
          )}
          {answer.value.kind === 'tensors' ? (
            <TensorDifferences comparison={answer.value} />
          ) : (
            <CheckpointDifferences comparison={answer.value} />
          )}
        </>
      )}
    </section>
  );
}
