import { useMemo, useState } from 'preact/hooks';
import { decimal } from '../../lib/format.ts';
import { t, tx } from '../../lib/texts.ts';

interface Props {
  readonly texts: readonly string[];
  readonly chosen: number | undefined;
  readonly near: readonly { readonly index: number; readonly score: number }[];
  readonly onChoose: (index: number) => void;
}

const MOST_FOUND = 8;

/** The text that is chosen and those most like it; any text is found by its words. */
export function Neighbours({ texts, chosen, near, onChoose }: Props) {
  const [words, setWords] = useState('');
  const found = useMemo(() => findTexts(texts, words), [texts, words]);
  const choose = (index: number) => {
    setWords('');
    onChoose(index);
  };
  return (
    <>
      <label>
        {t('Find a text')}
        <input
          type="search"
          placeholder={t('some of its words, or point at a dot')}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
      </label>
      {words && found.length === 0 && <p class="hint">{t('No text has all of these words.')}</p>}
      <ul class="found-texts">
        {found.map((index) => (
          <li key={index}>
            <button type="button" class="quiet" onClick={() => choose(index)}>
              {texts[index]!.slice(0, 140)}
            </button>
          </li>
        ))}
      </ul>
      {chosen !== undefined && (
        <div aria-live="polite">
          <p>{tx('Most like {text}:', { text: <strong>{texts[chosen]!.slice(0, 200)}</strong> })}</p>
          <ol>
            {near.map(({ index, score }) => (
              <li key={index}>
                <span class="score">{decimal(score, 2)}</span>{' '}
                <button type="button" class="quiet" onClick={() => choose(index)}>
                  {texts[index]!.slice(0, 140)}
                </button>
              </li>
            ))}
          </ol>
        </div>
      )}
    </>
  );
}

function findTexts(texts: readonly string[], words: string): number[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const found: number[] = [];
  for (let index = 0; index < texts.length && found.length < MOST_FOUND; index++) {
    const text = texts[index]!.toLowerCase();
    if (wanted.every((word) => text.includes(word))) found.push(index);
  }
  return found;
}
