import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoaded } from '../../lib/hooks.ts';
import { boxesOf, fetchMemory, type Memory, type Place, placeOf, readMemory } from '../../lib/lake/lake.ts';
import type { NoteMemory } from '../../lib/lake/notes.ts';
import { linkTo } from '../../lib/route.ts';
import { t, tx } from '../../lib/texts.ts';
import { Highlight } from '../highlight.tsx';
import { Empty, Failure, Loading } from '../states.tsx';
import { MemoryFacts } from './memory-facts.tsx';
import { NoteCard } from './note-card.tsx';
import { PdfPage } from './pdf-page.tsx';
import { SheetRows } from './sheet-rows.tsx';
import { Versions } from './versions.tsx';

/** A document, opened at a place. The address holds the place, so it can be kept and sent. */
export function MemoryView({ id, query }: { id: string; query: URLSearchParams }) {
  const memory = useLoaded((signal) => fetchMemory(id, signal), [id], { keepsValue: true });
  if (memory.error) return <Failure error={memory.error} />;
  if (memory.isLoading && !memory.value) return <Loading what={t('the document')} />;
  if (!memory.value)
    return (
      <Empty title={t('Document not found')}>
        <p>{tx('It may have been deleted. <a>Back to the lake</a>', { a: (text) => <a href="#/lake">{text}</a> })}</p>
      </Empty>
    );
  const { status, reason, summary, note } = memory.value;
  if (note) return <NoteCard memory={memory.value as NoteMemory} onChanged={memory.reload} />;
  return (
    <article>
      <MemoryFacts memory={memory.value} place={placeOf(query)} onChanged={memory.reload} />
      <Versions id={id} />
      {status === 'failed' ? (
        <Failure error={reason ?? t('This file could not be read.')} />
      ) : (
        <>
          {summary && <p class="hint summary">{summary}</p>}
          <Content memory={memory.value} query={query} />
        </>
      )}
    </article>
  );
}

function Content({ memory, query }: { memory: Memory; query: URLSearchParams }) {
  const place = placeOf(query);
  const words = query.get('words') ?? '';
  const [pages, setPages] = useState(0);
  const { id, sheet_names: sheets = [] } = memory;
  const to = (next: Record<string, string>) => {
    const kept = words ? { words } : {};
    location.hash = `${linkTo('lake', id)}?${new URLSearchParams({ ...next, ...kept })}`;
  };
  if (sheets.length > 0) {
    const sheet = place.sheet ?? sheets[0]!;
    return (
      <>
        {sheets.length > 1 && (
          <div class="actions" role="group" aria-label={t('Sheets')}>
            {sheets.map((name) => (
              <button type="button" key={name} aria-pressed={name === sheet} onClick={() => to({ sheet: name })}>
                {name}
              </button>
            ))}
          </div>
        )}
        <SheetRows id={id} sheet={sheet} rows={rangeOf(place.rows)} words={words} />
      </>
    );
  }
  if (memory.type === 'pdf_file' && /\.pdf$/i.test(memory.name)) {
    const page = place.page ?? 1;
    return (
      <>
        <Steps at={page} of={pages} what={t('page')} onStep={(next) => to({ page: String(next) })} />
        <div class="pages">
          <PdfPage id={id} page={page} boxes={boxesOf(query)} onPages={setPages} />
          <Text id={id} place={{ page }} words={words} />
        </div>
      </>
    );
  }
  const chunk = place.chunk ?? 1;
  return (
    <>
      {(memory.num_chunks ?? 0) > 1 && (
        <Steps at={chunk} of={memory.num_chunks ?? 0} what={t('part')} onStep={(next) => to({ chunk: String(next) })} />
      )}
      <Text id={id} place={place.page ? place : { chunk }} words={words} />
    </>
  );
}

function Steps(props: { at: number; of: number; what: string; onStep: (next: number) => void }) {
  const { at, of, what, onStep } = props;
  return (
    <div class="actions">
      <button type="button" disabled={at <= 1} onClick={() => onStep(at - 1)}>
        {t('← Previous')}
      </button>
      <span>
        {what} {at} {of > 0 && t('of {of}', { of })}
      </span>
      <button type="button" disabled={of > 0 && at >= of} onClick={() => onStep(at + 1)}>
        {t('Next →')}
      </button>
    </div>
  );
}

function Text({ id, place, words }: { id: string; place: Place; words: string }) {
  const content = useLoaded((signal) => readMemory(id, place, signal), [id, JSON.stringify(place)]);
  const box = useRef<HTMLPreElement>(null);
  const text = content.value?.text;
  useEffect(() => {
    if (text !== undefined) box.current?.querySelector('mark')?.scrollIntoView({ block: 'nearest' });
  }, [text]);
  if (content.error) return <Failure error={content.error} />;
  if (text === undefined) return <Loading what={t('the text')} />;
  return (
    <pre class="text document" ref={box} tabIndex={0}>
      <Highlight text={text} words={words} />
    </pre>
  );
}

function rangeOf(rows: string | undefined): readonly [number, number] | undefined {
  const [first, last] = (rows ?? '').split(':').map(Number);
  return first && last && last >= first ? [first, last] : undefined;
}
