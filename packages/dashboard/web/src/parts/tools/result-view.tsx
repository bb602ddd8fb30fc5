import { type Content, failureOf, type ToolResult } from '../../lib/mcp.ts';
import { t } from '../../lib/texts.ts';
import { DataTable } from '../data-table.tsx';
import { LongText } from '../long-text.tsx';

/** An answer for people: pictures as pictures, bodies as trees, failures as sentences. */
export function ResultView({ result, tool = '' }: { result: ToolResult; tool?: string }) {
  const body = result.structuredContent;
  const others = body === undefined ? result.content : result.content.filter(({ type }) => type !== 'text');
  return (
    <div class="result">
      {result.isError && <p class="notice bad">{failureOf(result)}</p>}
      {others.map((part, index) => (
        <Part key={index} part={part} isChart={CHARTS.test(tool)} />
      ))}
      {body !== undefined && <Json value={body} />}
    </div>
  );
}

/** Tools of ours that draw on white; their pictures follow the theme. Others may be photographs. */
const CHARTS = /(^|[._])(plot_tensor|compare_tensors|compare_checkpoints|chart_memory_tables)$/;

function Part({ part, isChart }: { part: Content; isChart: boolean }) {
  if (part.type === 'text')
    return (
      <pre class="text" tabIndex={0}>
        <LongText text={part.text} />
      </pre>
    );
  if (part.type === 'image')
    return (
      <img
        class={isChart ? 'picture chart' : 'picture'}
        src={`data:${part.mimeType};base64,${part.data}`}
        alt={t('What the tool drew')}
      />
    );
  // biome-ignore lint/a11y/useMediaCaption: an answer's sound comes without captions
  if (part.type === 'audio') return <audio controls src={`data:${part.mimeType};base64,${part.data}`} />;
  if (part.type === 'resource_link')
    return (
      <p>
        <code>{part.uri}</code> {part.name}
      </p>
    );
  return (
    <pre class="text" tabIndex={0}>
      <LongText text={part.resource.text ?? `${part.resource.uri} (${part.resource.mimeType ?? 'bytes'})`} />
    </pre>
  );
}

const MOST_SHOWN = 200;

/** JSON that opens and closes; long lists show their beginning. */
export function Json({ value, path = [] }: { value: unknown; path?: readonly string[] }) {
  const depth = path.length;
  const name = path.at(-1);
  const label = name === undefined ? null : <span class="key">{name}: </span>;
  if (value === null || typeof value !== 'object') {
    return (
      <div class="leaf">
        {label}
        <span class={`value ${typeof value}`}>
          <LongText text={String(value)} />
        </span>
      </div>
    );
  }
  const entries = Object.entries(value);
  const summary = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number')) {
    return (
      <div class="leaf">
        {label}
        <span class="value number">{`[${value
          .slice(0, 12)
          .map((item) => Number(item.toPrecision(5)))
          .join(', ')}${value.length > 12 ? t(', … {value} in all', { value: value.length }) : ''}]`}</span>
      </div>
    );
  }
  const table = tableOf(value);
  return (
    <details class="node" open={depth < 3 || table !== undefined}>
      <summary>
        {label}
        <span class="hint">{summary}</span> {depth > 2 && <span class="preview">{nameOf(value)}</span>}
      </summary>
      {table ? (
        <DataTable role="group" label={path.join('.') || t('Answer')} {...table} />
      ) : (
        entries.slice(0, MOST_SHOWN).map(([key, item]) => <Json key={key} value={item} path={[...path, key]} />)
      )}
      {entries.length > MOST_SHOWN && (
        <p class="hint">{t('… and {entries} more', { entries: entries.length - MOST_SHOWN })}</p>
      )}
    </details>
  );
}

/** What a closed object is about, where one of its fields says so. */
function nameOf(value: object): string {
  const fields = new Map<string, unknown>(Object.entries(value));
  const name = ['name', 'title', 'key', 'id'].map((key) => fields.get(key)).find((field) => typeof field === 'string');
  return name === undefined ? '' : String(name).slice(0, 80);
}

/** A list of flat objects of about the same fields reads best as a table. */
function tableOf(value: object): { columns: readonly string[]; rows: readonly (readonly unknown[])[] } | undefined {
  if (!Array.isArray(value) || value.length < 2) return undefined;
  const shown = value.slice(0, MOST_SHOWN) as unknown[];
  const isFlat = (item: unknown): item is Record<string, unknown> =>
    typeof item === 'object' &&
    item !== null &&
    !Array.isArray(item) &&
    Object.values(item).every((field) => field === null || typeof field !== 'object');
  if (!shown.every(isFlat)) return undefined;
  const columns = [...new Set(shown.flatMap((item) => Object.keys(item)))];
  if (columns.length === 0 || columns.length > 12) return undefined;
  return { columns, rows: shown.map((item) => columns.map((column) => item[column])) };
}
