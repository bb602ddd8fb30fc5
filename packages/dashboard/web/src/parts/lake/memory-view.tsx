import { useEffect, useRef, useState } from 'preact/hooks';
import { bytes, plural } from '../../lib/format.ts';
import { useLoaded } from '../../lib/hooks.ts';
import { fetchMemory, type Memory, type Place, placeOf, readMemory } from '../../lib/lake.ts';
import { ask } from '../../lib/mcp.ts';
import { tableOf } from '../../lib/tables.ts';
import { DataTable } from '../data-table.tsx';
import { Highlight } from '../highlight.tsx';
import { Empty, Failure, Loading } from '../states.tsx';

const ROWS = 100;

/** A document, opened at a place. */
export function MemoryView({ id, query }: { id: string; query: URLSearchParams }) {
  const memory = useLoaded((signal) => fetchMemory(id, signal), [id]);
  const [place, setPlace] = useState<Place>(() => placeOf(query));
  useEffect(() => setPlace(placeOf(query)), [query.toString()]);
  if (memory.error) return <Failure error={memory.error} />;
  if (memory.isLoading) return <Loading what="the document" />;
  if (!memory.value)
    return (
      <Empty title="There is no such document">
        <p>
          It may have been deleted. <a href="#/lake">Back to the lake</a>
        </p>
      </Empty>
    );
  const {
    name,
    summary,
    size_bytes: size,
    num_chunks: chunks,
    num_tables: tables,
    num_figures: figures,
    status,
    reason,
  } = memory.value;
  const remove = async () => {
    if (!confirm(`Delete "${name}" from the lake? The original file stays where it is.`)) return;
    await ask('delete_memory', { memory_ids: [id] });
    location.hash = '#/lake';
  };
  return (
    <article>
      <p>
        <a href="#/lake">← All documents</a>
      </p>
      <h2>{name}</h2>
      <p class="hint">
        {[
          size !== undefined && bytes(size),
          chunks !== undefined && plural(chunks, 'part'),
          tables !== undefined && plural(tables, 'table'),
          figures !== undefined && plural(figures, 'figure'),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {status === 'failed' && <Failure error={reason ?? 'This file could not be read.'} />}
      {summary && <p>{summary}</p>}
      {status !== 'failed' && <Places memory={memory.value} place={place} onPlace={setPlace} />}
      {status !== 'failed' && (
        <Text
          id={id}
          place={place}
          words={query.get('words') ?? ''}
          isSheet={Boolean(place.sheet ?? memory.value.sheet_names?.length)}
        />
      )}
      <p>
        <button type="button" class="danger" onClick={remove}>
          Delete from the lake
        </button>
      </p>
    </article>
  );
}

function Places({ memory, place, onPlace }: { memory: Memory; place: Place; onPlace: (place: Place) => void }) {
  if (memory.sheet_names?.length) {
    return (
      <div class="actions" role="group" aria-label="Sheets">
        {memory.sheet_names.map((sheet) => (
          <button
            type="button"
            key={sheet}
            aria-pressed={sheet === (place.sheet ?? memory.sheet_names![0])}
            onClick={() => onPlace({ sheet, rows: `1:${ROWS}` })}
          >
            {sheet}
          </button>
        ))}
      </div>
    );
  }
  const at = place.page ?? place.chunk ?? 1;
  const to = (step: number) => onPlace(memory.type === 'pdf_file' ? { page: at + step } : { chunk: at + step });
  return (
    <div class="actions">
      <button type="button" disabled={at <= 1} onClick={() => to(-1)}>
        ← Before
      </button>
      <span>{memory.type === 'pdf_file' ? `page ${at}` : `part ${at} of ${memory.num_chunks ?? '?'}`}</span>
      <button
        type="button"
        disabled={memory.type !== 'pdf_file' && at >= (memory.num_chunks ?? 0)}
        onClick={() => to(1)}
      >
        After →
      </button>
    </div>
  );
}

function Text({ id, place, words, isSheet }: { id: string; place: Place; words: string; isSheet: boolean }) {
  const content = useLoaded((signal) => readMemory(id, place, signal), [id, JSON.stringify(place)]);
  const box = useRef<HTMLPreElement>(null);
  const text = content.value?.text;
  useEffect(() => {
    if (text !== undefined) box.current?.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  if (content.error) return <Failure error={content.error} />;
  if (text === undefined) return <Loading what="the text" />;
  const table = isSheet ? tableOf(text) : undefined;
  if (table) return <DataTable label="Sheet" columns={table.columns} rows={table.rows} words={words} />;
  return (
    <pre class="text document" ref={box} tabIndex={0}>
      <Highlight text={text} words={words} />
    </pre>
  );
}
