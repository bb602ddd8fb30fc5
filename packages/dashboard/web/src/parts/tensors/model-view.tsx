import { useMemo, useState } from 'preact/hooks';
import { bytes, number } from '../../lib/format.ts';
import { useLoaded } from '../../lib/hooks.ts';
import { getModel, graphOf, type Model, type OnnxFacts, shapeText } from '../../lib/models.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { Bars } from '../bars.tsx';
import { GraphView } from '../graph/graph-view.tsx';
import { Failure, Loading } from '../states.tsx';

/** One model: its code, or what is in its file and how its operators are joined. */
export function ModelView({ id }: { id: string }) {
  const model = useLoaded((signal) => getModel(id, signal, true), [id]);
  if (model.error) return <Failure error={model.error} next={t('The list shows all models.')} />;
  if (!model.value) return <Loading what={t('the model')} />;
  const { metadata, language, code, onnx, graph, weights_shape: shape, weights_dtype: dtype } = model.value;
  return (
    <article>
      <p>
        <a href="#/tensors/models">{t('← All models')}</a>
      </p>
      <h2>{metadata.user_name}</h2>
      <p>{metadata.description}</p>
      <p class="tags">
        <span class="tag">{language}</span>
        {shape && <code>{t('weights {dtype} ({shape})', { dtype, shape: shape.join(', ') })}</code>}
      </p>
      {onnx && <Facts onnx={onnx} />}
      {graph && graph.nodes.length > 0 && <Graph model={model.value} />}
      {code && (
        <>
          <h3>{t('Code')}</h3>
          <pre class="code" tabIndex={0}>
            {code}
          </pre>
        </>
      )}
    </article>
  );
}

function Facts({ onnx }: { onnx: OnnxFacts }) {
  const { inputs, outputs, operators, opsets, producer, parameters, size_bytes: size, custom_operators: custom } = onnx;
  return (
    <>
      <dl class="figures">
        <Fact label={t('Parameters')} value={number(parameters)} />
        <Fact label={t('Size')} value={bytes(size)} />
        <Fact label={t('Opset')} value={opsets.map(({ domain, version }) => `${domain} ${version}`).join(', ')} />
        {producer && <Fact label={t('Made with')} value={producer} />}
      </dl>
      {custom.length > 0 && (
        <p class="notice bad">
          {t('It cannot be run here: {operators} are not known.', { operators: custom.join(', ') })}
        </p>
      )}
      <dl class="figures">
        {inputs
          .filter(({ optional }) => !optional)
          .map((value) => (
            <Fact key={value.name} label={t('Input {name}', { name: value.name })} value={shapeText(value)} />
          ))}
        {outputs.map((value) => (
          <Fact key={value.name} label={t('Output {name}', { name: value.name })} value={shapeText(value)} />
        ))}
      </dl>
      <h3>{t('Operators')}</h3>
      <Bars
        label={t('How often each operator is used')}
        bars={operators
          .slice(0, 12)
          .map(({ operator, count }) => ({ name: operator, value: count, text: number(count) }))}
      />
    </>
  );
}

function Graph({ model }: { model: Model }) {
  const { nodes, edges } = useMemo(() => graphOf(model), [model]);
  const [chosen, setChosen] = useState<string>();
  const { nodes: operators, nodes_total: total } = model.graph!;
  const operator = chosen?.startsWith('op ') ? operators[Number(chosen.slice(3))] : undefined;
  return (
    <>
      <h3>{t('Graph')}</h3>
      {total > operators.length && (
        <p class="hint">
          {t('The first {shown} of {operators}.', { shown: operators.length, operators: plural(total, 'operator') })}
        </p>
      )}
      <GraphView
        label={t('Graph of the model {name}', { name: model.metadata.user_name })}
        nodes={nodes}
        edges={edges}
        direction="down"
        chosen={chosen}
        onChoose={setChosen}
      />
      <p class="hint" aria-live="polite">
        {operator
          ? tx('{operator} takes {inputs} and gives {outputs}.', {
              operator: <strong>{operator.operator}</strong>,
              inputs: <code>{operator.inputs.filter(Boolean).join(', ')}</code>,
              outputs: <code>{operator.outputs.join(', ')}</code>,
            })
          : t('Choose an operator to see what it takes and gives. Values that no operator makes are weights.')}
      </p>
    </>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}
