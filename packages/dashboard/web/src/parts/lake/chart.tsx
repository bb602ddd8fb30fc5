import { useCallback, useState } from 'preact/hooks';
import { useAction } from '../../lib/hooks.ts';
import { callTool, failureOf, type Schema, type Tool } from '../../lib/mcp.ts';
import { choicesOf } from '../../lib/schema.ts';
import { t, tx } from '../../lib/texts.ts';
import { Failure } from '../states.tsx';

interface Props {
  readonly tool: Tool | undefined;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** The result of a query as a chart that the server draws. */
export function Chart({ tool, sql, columns, rows }: Props) {
  const isNumber = (at: number) => rows.every((row) => typeof row[at] === 'number' || row[at] === null);
  const figures = columns.filter((_, at) => isNumber(at));
  const others = columns.filter((_, at) => !isNumber(at));
  const [type, setType] = useState('bar');
  const [x, setX] = useState(others[0] ?? columns[0] ?? '');
  const [y, setY] = useState(figures.find((name) => name !== x) ?? '');
  const [color, setColor] = useState('');
  const act = useCallback(async (signal: AbortSignal, chart: Record<string, string>) => {
    const result = await callTool('chart_memory_tables', { sql, chart, limit: 1 }, { signal });
    if (result.isError) throw new Error(failureOf(result));
    const { notice } = (result.structuredContent as { result: { notice?: string } }).result;
    const image = result.content.find((part) => part.type === 'image');
    if (image?.type !== 'image') throw new Error(t('The chart came without a picture.'));
    return {
      notice,
      src: `data:${image.mimeType};base64,${image.data}`,
      alt: altOf(chart),
    };
  }, []);
  const drawing = useAction(act);
  if (!tool) {
    return (
      <p class="hint">
        {tx('Charts need the tool {code}, which this endpoint does not list; a current memorylake has it.', {
          code: <code>chart_memory_tables</code>,
        })}
      </p>
    );
  }
  const draw = (event: Event) => {
    event.preventDefault();
    void drawing.run({ type, ...(x && { x }), ...(y && { y }), ...(color && { color }) });
  };
  return (
    <section aria-label={t('Chart')}>
      <form class="filters chart-choice" onSubmit={draw}>
        <Choice label={t('Chart')} value={type} choices={typesOf(tool)} onChange={setType} />
        <Choice label={t('Horizontal')} value={x} choices={columns} onChange={setX} />
        <Choice label={t('Vertical')} value={y} choices={columns} none={t('how many')} onChange={setY} />
        <Choice label={t('Colour')} value={color} choices={columns} none={t('none')} onChange={setColor} />
        <button type="submit" disabled={drawing.isRunning}>
          {drawing.isRunning ? t('Drawing …') : t('Draw')}
        </button>
      </form>
      {drawing.error && <Failure error={drawing.error} />}
      {drawing.value?.notice && <p class="notice">{drawing.value.notice}</p>}
      {drawing.value && <img class="picture chart" src={drawing.value.src} alt={drawing.value.alt} />}
    </section>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  /** What it means to choose none; without it one must be chosen. */
  readonly none?: string;
  readonly onChange: (value: string) => void;
}

function Choice({ label, value, choices, none, onChange }: ChoiceProps) {
  return (
    <label class="choice">
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {none !== undefined && <option value="">{none}</option>}
        {choices.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  );
}

/** The kinds of chart, as the tool itself lists them. */
function typesOf({ inputSchema }: Tool): readonly string[] {
  const { chart } = (inputSchema.properties ?? {}) as Record<string, Schema>;
  const { type } = (chart?.properties ?? {}) as Record<string, Schema>;
  return (type && choicesOf(type)?.map(String)) ?? ['bar'];
}

function altOf({ type, x, y = t('how many rows'), color }: Record<string, string>): string {
  return t('{type} chart of {y} by {x}{color}', {
    type,
    y,
    x,
    color: color ? t(', coloured by {color}', { color }) : '',
  });
}
