import { plural } from '../../lib/format.ts';
import type { SearchAnswer } from '../../lib/lake/lake.ts';
import { linkTo } from '../../lib/route.ts';
import { Highlight } from '../highlight.tsx';
import { Empty } from '../states.tsx';

/** What was found, each passage with a link to its place; the document is opened with the words still marked. */
export function Hits({ answer, words }: { answer: SearchAnswer; words: string }) {
  if (answer.results.length === 0) {
    return (
      <Empty title="Nothing found">
        <p>No file has these words or anything close to them. Try fewer words, or add the file first.</p>
      </Empty>
    );
  }
  const linkOf = (id: string, place: URLSearchParams) =>
    `${linkTo('lake', id)}?${new URLSearchParams([...place, ['words', words]])}`;
  return (
    <>
      <p class="hint" role="status">
        {plural(answer.n, 'document')} found
        {answer.results.length < answer.n && `, the best ${answer.results.length} are shown`}. {answer.notice}
      </p>
      <ol class="hits" aria-label="Search results">
        {answer.results.map((hit) => (
          <li class="card" key={hit.id}>
            <h2>
              <a href={linkTo('lake', hit.id)}>{hit.name}</a>
            </h2>
            {(hit.snippets ?? []).map((snippet) => (
              <blockquote key={snippet.text}>
                <Highlight text={snippet.text} words={words} />
                <footer>
                  <a href={linkOf(hit.id, snippet.place)}>{snippet.label}</a>
                </footer>
              </blockquote>
            ))}
            {!hit.snippets?.length && <p>{hit.summary}</p>}
          </li>
        ))}
      </ol>
    </>
  );
}
