import type { SearchAnswer } from '../../lib/lake/lake.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t } from '../../lib/texts.ts';
import { Highlight } from '../highlight.tsx';
import { Empty } from '../states.tsx';

/** What was found, each passage with a link to its place; the document is opened with the words still marked. */
export function Hits({ answer, words }: { answer: SearchAnswer; words: string }) {
  if (answer.results.length === 0) {
    return (
      <Empty title={t('Nothing found')}>
        <p>{t('No file has these words or anything close to them. Try fewer words, or add the file first.')}</p>
      </Empty>
    );
  }
  const linkOf = (id: string, place: URLSearchParams) =>
    `${linkTo('lake', id)}?${new URLSearchParams([...place, ['words', words]])}`;
  return (
    <>
      <p class="hint" role="status">
        {t('{documents} found', { documents: plural(answer.n, 'document') })}
        {answer.results.length < answer.n && t(', the best {results} are shown', { results: answer.results.length })}
        {'. '}
        {answer.notice}
      </p>
      <ol class="hits" aria-label={t('Search results')}>
        {answer.results.map((hit) => (
          <li class="card" key={hit.id}>
            <h2>
              <a href={linkTo('lake', hit.id)}>{hit.name}</a>
              {hit.id.startsWith('note-') && <span class="tag">{t('note')}</span>}
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
