import { type Content, failureOf, type ToolResult } from '../../lib/mcp.ts';

/** An answer for people: pictures as pictures, bodies as trees, failures as sentences. */
export function ResultView({ result }: { result: ToolResult }) {
  const body = result.structuredContent;
  const others = body === undefined ? result.content : result.content.filter(({ type }) => type !== 'text');
  return (
    <div class="result">
      {result.isError && <p class="notice bad">{failureOf(result)}</p>}
      {others.map((part, index) => (
        <Part key={index} part={part} />
      ))}
      {body !== undefined && <Json value={body} />}
    </div>
  );
}

function Part({ part }: { part: Content }) {
  if (part.type === 'text')
    return (
      <pre class="text" tabIndex={0}>
        {part.text}
      </pre>
    );
  if (part.type === 'image')
    return <img class="picture" src={`data:${part.mimeType};base64,${part.data}`} alt="What the tool drew" />;
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
      {part.resource.text ?? `${part.resource.uri} (${part.resource.mimeType ?? 'bytes'})`}
    </pre>
  );
}

const MOST_SHOWN = 200;

/** JSON that opens and closes; long lists show their beginning. */
export function Json({ value, name, depth = 0 }: { value: unknown; name?: string; depth?: number }) {
  const label = name === undefined ? null : <span class="key">{name}: </span>;
  if (value === null || typeof value !== 'object') {
    return (
      <div class="leaf">
        {label}
        <span class={`value ${typeof value}`}>{typeof value === 'string' ? value : String(value)}</span>
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
          .join(', ')}${value.length > 12 ? `, … ${value.length} in all` : ''}]`}</span>
      </div>
    );
  }
  return (
    <details class="node" open={depth < 2}>
      <summary>
        {label}
        <span class="hint">{summary}</span>
      </summary>
      {entries.slice(0, MOST_SHOWN).map(([key, item]) => (
        <Json key={key} name={key} value={item} depth={depth + 1} />
      ))}
      {entries.length > MOST_SHOWN && <p class="hint">… and {entries.length - MOST_SHOWN} more</p>}
    </details>
  );
}
