import { useState } from 'preact/hooks';
import type { PlannedWrite, ProgramStep } from '../../lib/programs/run.ts';
import { plural, t } from '../../lib/texts.ts';
import { Json } from '../tools/result-view.tsx';

interface Props {
  readonly plan: { readonly id: string; readonly writes: readonly PlannedWrite[] };
  readonly onConfirm: (step: ProgramStep) => void;
}

/** The calls of a paused program that may change something. None of them has been made. */
export function WritePlan({ plan: { id, writes }, onConfirm }: Props) {
  const [further, setFurther] = useState(false);
  return (
    <section class="notice plan" aria-label={t('Plan of writes')}>
      <h3>{t('The program waits: {calls} may change something', { calls: plural(writes.length, 'call') })}</h3>
      <ol>
        {writes.map((write, index) => (
          <li key={index}>
            <code>{write.tool}</code>
            <div class="result">
              <Json value={write.arguments} />
            </div>
          </li>
        ))}
      </ol>
      <label class="check">
        <input type="checkbox" checked={further} onChange={() => setFurther(!further)} />{' '}
        {t('Also later calls of these tools in this program, whatever their arguments')}
      </label>
      <div class="actions">
        <button type="button" class="primary" onClick={() => onConfirm({ plan_id: id, further })}>
          {t('Make these calls and go on')}
        </button>
        <span class="hint">{t('Otherwise nothing is called; the program ends by itself after a while.')}</span>
      </div>
    </section>
  );
}
