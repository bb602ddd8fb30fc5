import { useCallback, useEffect, useState } from 'preact/hooks';
import { duration } from '../../lib/format.ts';
import { useAction, useLoaded } from '../../lib/hooks.ts';
import { ask } from '../../lib/mcp.ts';
import { getModel } from '../../lib/models.ts';
import { linkTo } from '../../lib/route.ts';
import type { ModelRow } from '../../lib/tensors.ts';
import { t, tx } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';
import { TensorField } from './tensor-field.tsx';
import { Picture } from './tensor-view.tsx';

interface RunAnswer {
  readonly uuid: string;
  readonly name: string;
  readonly duration_ms: number;
}

interface Choice {
  readonly role: string;
  readonly tensor: string;
}

/** Runs a model on chosen tensors and shows before and after. */
export function ModelRunner({ models }: { models: readonly ModelRow[] }) {
  const [model, setModel] = useState('');
  const [choices, setChoices] = useState<readonly Choice[]>([{ role: '', tensor: '' }]);
  const act = useCallback(async (signal: AbortSignal, name: string, chosen: readonly Choice[]) => {
    // A tensor without a role goes by its own name.
    const inputs = Object.fromEntries(chosen.map(({ role, tensor }) => [role.trim() || tensor, tensor]));
    return { ...(await ask<RunAnswer>('run_model', { model: name, inputs }, { signal })), before: chosen };
  }, []);
  const run = useAction(act);
  const runnable = models.filter(({ has_code: hasCode }) => hasCode);
  const chosen = runnable.find(({ uuid }) => uuid === model) ?? runnable[0];
  const about = useLoaded((signal) => inputsOf(chosen, signal), [chosen?.uuid]);
  useEffect(() => {
    // An ONNX model says what its inputs are called.
    if (about.value && about.value.length > 0) setChoices(about.value.map((role) => ({ role, tensor: '' })));
  }, [about.value]);
  if (!chosen) {
    return (
      <section class="card">
        <h2>{t('Run a model')}</h2>
        <p class="hint">
          {tx('No model with code yet; upload one with <a>upload_model</a>.', {
            a: (text) => <a href={linkTo('tools', 'upload_model')}>{text}</a>,
          })}
        </p>
      </section>
    );
  }
  const replace = (index: number, next: Choice) => setChoices(choices.map((old, at) => (at === index ? next : old)));
  return (
    <section class="card">
      <h2>{t('Run a model')}</h2>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void run.run(chosen.uuid, choices);
        }}
      >
        <label>
          {t('Model')}
          <select value={chosen.uuid} onChange={(event) => setModel(event.currentTarget.value)}>
            {runnable.map(({ uuid, user_name: name }) => (
              <option key={uuid} value={uuid}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {chosen.description && <p class="hint">{chosen.description}</p>}
        {choices.map((choice, index) => (
          <ChoiceRow
            key={index}
            choice={choice}
            onChange={(next) => replace(index, next)}
            {...(choices.length > 1 && { onRemove: () => setChoices(choices.filter((_, at) => at !== index)) })}
          />
        ))}
        <div class="actions">
          <button type="submit" class="primary" disabled={run.isRunning}>
            {run.isRunning ? t('Running …') : t('Run')}
          </button>
          <button type="button" onClick={() => setChoices([...choices, { role: '', tensor: '' }])}>
            {t('+ Another tensor')}
          </button>
          {run.isRunning && (
            <button type="button" onClick={run.cancel}>
              {t('Cancel')}
            </button>
          )}
        </div>
      </form>
      {run.error && <Failure error={run.error} />}
      {run.value && (
        <div class="two even" role="status">
          {run.value.before.map(({ tensor }) => (
            <figure key={tensor}>
              <figcaption>{t('Before: {tensor}', { tensor })}</figcaption>
              <Picture id={tensor} kind="auto" slice="" />
            </figure>
          ))}
          <figure>
            <figcaption>
              {tx('After: {name}, in {duration_ms}', {
                name: <a href={linkTo('tensors', run.value.uuid)}>{run.value.name}</a>,
                duration_ms: duration(run.value.duration_ms),
              })}
            </figcaption>
            <Picture id={run.value.uuid} kind="auto" slice="" />
          </figure>
        </div>
      )}
    </section>
  );
}

async function inputsOf(model: ModelRow | undefined, signal: AbortSignal): Promise<readonly string[]> {
  if (!model) return [];
  const { onnx } = await getModel(model.uuid, signal);
  return (onnx?.inputs ?? []).filter(({ optional }) => !optional).map(({ name }) => name);
}

/** One input: a tensor, found as its name is typed, and the name by which the model knows it. */
function ChoiceRow({
  choice,
  onChange,
  onRemove,
}: {
  choice: Choice;
  onChange: (choice: Choice) => void;
  onRemove?: () => void;
}) {
  return (
    <div class="filters">
      <TensorField label={t('Tensor')} value={choice.tensor} onInput={(tensor) => onChange({ ...choice, tensor })} />
      <label>
        {t('Its role in the model')}
        <input
          placeholder={t('its own name, unless given')}
          value={choice.role}
          onInput={(event) => onChange({ ...choice, role: event.currentTarget.value })}
        />
      </label>
      {onRemove && (
        <button
          type="button"
          class="quiet"
          aria-label={t('Leave {tensor} out', { tensor: choice.tensor || t('this') })}
          onClick={onRemove}
        >
          ✕
        </button>
      )}
    </div>
  );
}
