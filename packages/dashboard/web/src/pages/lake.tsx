import { useState } from 'preact/hooks';
import { useLoaded, useRested } from '../lib/hooks.ts';
import type { SearchAnswer } from '../lib/lake.ts';
import { search } from '../lib/lake.ts';
import { linkTo } from '../lib/route.ts';
import { Highlight } from '../parts/highlight.tsx';
import { CodeCell } from '../parts/lake/code-cell.tsx';
import { DropZone } from '../parts/lake/drop-zone.tsx';
import { MemoryList } from '../parts/lake/memory-list.tsx';
import { MemoryView } from '../parts/lake/memory-view.tsx';
import { SqlBox } from '../parts/lake/sql-box.tsx';
import { Absent, Empty, Failure } from '../parts/states.tsx';
import { has, type PageProps } from './page.ts';

/** Drop files in, search them as you type, open the place, compute on them. */
export function Lake({ tools, rest, query }: PageProps) {
  const [words, setWords] = useState('');
  const [round, setRound] = useState(0);
  const rested = useRested(words.trim(), 180);
  const found = useLoaded(async (signal) => (rested ? search(rested, signal) : undefined), [rested, round]);
  if (!has(tools, 'search_memory')) return <Absent server="memorylake" />;
  if (rest[0]) return <MemoryView id={rest[0]} query={query} />;
  return (
    <>
      <DropZone onChanged={() => setRound((now) => now + 1)} />
      <label class="search">
        <span>Search your files</span>
        <input
          type="search"
          placeholder="A question, or a few words"
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      {found.error && (
        <Failure error={found.error} next="The search failed; this does not mean that nothing was found." />
      )}
      {rested && found.value ? <Hits answer={found.value} words={rested} /> : <MemoryList round={round} />}
      <div class="cards wide">
        <SqlBox round={round} />
        <CodeCell />
      </div>
    </>
  );
}

/** The document is opened with the words still marked. */
function withWords(place: URLSearchParams, words: string): URLSearchParams {
  return new URLSearchParams([...place, ['words', words]]);
}

function Hits({ answer, words }: { answer: SearchAnswer; words: string }) {
  if (answer.results.length === 0) {
    return (
      <Empty title="Nothing found">
        <p>No file has these words or anything close to them. Try fewer words, or add the file first.</p>
      </Empty>
    );
  }
  return (
    <ol class="hits" aria-label="Search results" aria-live="polite">
      {answer.results.map((hit) => (
        <li class="card" key={hit.id}>
          <h2>
            <a href={linkTo('lake', hit.id)}>{hit.name}</a>
          </h2>
          {(hit.snippets ?? []).map((snippet) => (
            <blockquote key={snippet.text}>
              <Highlight text={snippet.text} words={words} />
              <footer>
                <a href={`${linkTo('lake', hit.id)}?${withWords(snippet.place, words)}`}>{snippet.label}</a>
              </footer>
            </blockquote>
          ))}
          {!hit.snippets?.length && <p>{hit.summary}</p>}
        </li>
      ))}
    </ol>
  );
}
