import { useCallback, useState } from 'preact/hooks';
import { useAction } from '../../lib/hooks.ts';
import { search } from '../../lib/lake/lake.ts';
import { linkTo } from '../../lib/route.ts';
import { SAMPLE_QUESTIONS } from '../../lib/samples.ts';
import { t } from '../../lib/texts.ts';
import { Highlight } from '../highlight.tsx';
import { Failure } from '../states.tsx';

interface Props {
  readonly isEmpty: boolean;
  readonly hasSamples: boolean;
  readonly onAsked: () => void;
}

/** A question, and the best passage with its place. */
export function AskStep({ isEmpty, hasSamples, onAsked }: Props) {
  const [words, setWords] = useState('');
  const act = useCallback(async (signal: AbortSignal, asked: string) => {
    const { results } = await search(asked, {}, signal);
    onAsked();
    return { asked, hit: results[0] };
  }, []);
  const answer = useAction(act);
  const ask = (question: string) => {
    setWords(question);
    void answer.run(question);
  };
  return (
    <>
      <p>
        {isEmpty
          ? t('Add a document, then ask and see where the answer is.')
          : t('In your own words, in a whole sentence or a few words.')}
      </p>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim()) ask(words.trim());
        }}
      >
        <input
          type="search"
          aria-label={t('Your question')}
          placeholder={t('Your question')}
          disabled={isEmpty}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={isEmpty || answer.isRunning}>
          {t('Ask')}
        </button>
      </form>
      {hasSamples && !isEmpty && (
        <p class="questions">
          {SAMPLE_QUESTIONS.map((question) => (
            <button type="button" class="chip" key={question} onClick={() => ask(question)}>
              {question}
            </button>
          ))}
        </p>
      )}
      {answer.error && <Failure error={answer.error} />}
      {answer.value && <Answer {...answer.value} />}
    </>
  );
}

function Answer({
  asked,
  hit,
}: {
  asked: string;
  hit: Awaited<ReturnType<typeof search>>['results'][number] | undefined;
}) {
  const snippet = hit?.snippets?.[0];
  if (!hit) return <p role="status">{t('Nothing in the documents fits this question.')}</p>;
  return (
    <blockquote aria-live="polite">
      <Highlight text={snippet?.text ?? hit.summary} words={asked} />
      <footer>
        <a href={`${linkTo('lake', hit.id)}?${new URLSearchParams([...(snippet?.place ?? []), ['words', asked]])}`}>
          {[hit.name, snippet?.label].filter(Boolean).join(', ')}
        </a>
      </footer>
    </blockquote>
  );
}
