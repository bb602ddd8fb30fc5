import { useLoaded } from '../../lib/hooks.ts';
import { request } from '../../lib/mcp.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t, tx } from '../../lib/texts.ts';

interface Origin {
  readonly model_uuid?: string;
  readonly model_name?: string;
  readonly input_uuids?: readonly string[];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly duration_ms?: number;
  /** Of transform_tensor. */
  readonly steps?: readonly Readonly<Record<string, unknown>>[];
  /** That it was imported from. */
  readonly file?: string;
}

/** What a tensor came from: a model or steps and their inputs as a small graph, or the file it was imported from. */
export function Lineage({ id }: { id: string }) {
  const origin = useLoaded(readOrigin(id), [id]);
  if (!origin.value) return null;
  const { model_name: name, model_uuid: model, duration_ms: ms, steps, file } = origin.value;
  if (file !== undefined) {
    return (
      <section>
        <h3>{t('Where it came from')}</h3>
        <p>{tx('Imported from {file}.', { file: <code>{file}</code> })}</p>
      </section>
    );
  }
  const maker = steps ? plural(steps.length, 'step') : (name ?? model ?? '');
  const inputs = origin.value.inputs
    ? Object.entries(origin.value.inputs)
    : (origin.value.input_uuids ?? []).map((uuid) => [uuid.slice(0, 8), uuid] as const);
  const height = Math.max(inputs.length, 1) * 44 + 16;
  const middle = height / 2;
  return (
    <section>
      <h3>{t('Where it came from')}</h3>
      <svg
        class="lineage"
        viewBox={`0 0 560 ${height}`}
        role="group"
        aria-label={t('Made by {steps} from {inputs}', {
          steps: steps ? maker : t('the model {maker}', { maker }),
          inputs: inputs.map(([role]) => role).join(', '),
        })}
      >
        {inputs.map(([role, uuid], index) => (
          <g key={uuid}>
            <path d={`M160 ${index * 44 + 30} C 200 ${index * 44 + 30}, 190 ${middle}, 220 ${middle}`} />
            <a href={linkTo('tensors', uuid)}>
              <rect x="8" y={index * 44 + 14} width="152" height="32" rx="6" />
              <text x="84" y={index * 44 + 35}>
                {role}
              </text>
            </a>
          </g>
        ))}
        <rect class="model" x="220" y={middle - 16} width="152" height="32" rx="16" />
        <text x="296" y={middle + 5}>
          {maker.slice(0, 18)}
        </text>
        <path d={`M372 ${middle} L 408 ${middle}`} />
        <rect class="own" x="408" y={middle - 16} width="144" height="32" rx="6" />
        <text x="480" y={middle + 5}>
          {t('this tensor')}
        </text>
      </svg>
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
    </section>
  );
}

function readOrigin(id: string) {
  return async (signal: AbortSignal): Promise<Origin | undefined> => {
    const { contents } = await request<{ contents: { text?: string }[] }>(
      'resources/read',
      { uri: `tensor://${id}` },
      { signal },
    );
    const metadata = JSON.parse(contents[0]?.text ?? '{}') as { lineage?: Origin };
    return metadata.lineage;
  };
}
