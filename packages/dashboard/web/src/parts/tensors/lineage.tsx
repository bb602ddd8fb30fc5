import { useMemo } from 'preact/hooks';
import { useLoaded } from '../../lib/hooks.ts';
import { type Ancestor, inputsOf, lineageGraph, makerOf, type Origin, readAncestors } from '../../lib/lineage.ts';
import { t, tx } from '../../lib/texts.ts';
import { GraphView } from '../graph/graph-view.tsx';

/** What a tensor came from, and what that came from: models, steps and files as a graph. */
export function Lineage({ id }: { id: string }) {
  const ancestors = useLoaded((signal) => readAncestors(id, signal), [id]);
  const own = ancestors.value?.[0];
  if (!own?.origin) return null;
  return (
    <section>
      <h3>{t('Where it came from')}</h3>
      <Ancestry ancestors={ancestors.value ?? []} origin={own.origin} />
    </section>
  );
}

function Ancestry({ ancestors, origin }: { ancestors: readonly Ancestor[]; origin: Origin }) {
  const { nodes, edges } = useMemo(() => lineageGraph(ancestors), [ancestors]);
  const { steps, file, duration_ms: ms } = origin;
  if (file !== undefined) return <p>{tx('Imported from {file}.', { file: <code>{file}</code> })}</p>;
  const maker = makerOf(origin);
  return (
    <>
      <GraphView
        label={t('Made by {steps} from {inputs}', {
          steps: steps ? maker : t('the model {maker}', { maker }),
          inputs: inputsOf(origin)
            .map(([role]) => role)
            .join(', '),
        })}
        nodes={nodes}
        edges={edges}
        direction="right"
      />
      {steps && (
        <ol>
          {steps.map((step, index) => (
            <li key={index}>
              <code>{JSON.stringify(step)}</code>
            </li>
          ))}
        </ol>
      )}
      {ms !== undefined && <p class="hint">{t('The run took {ms} ms.', { ms: Math.round(ms) })}</p>}
    </>
  );
}
