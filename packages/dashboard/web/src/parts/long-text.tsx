import { language, t } from '../lib/texts.ts';

const MOST_SHOWN = 200_000;

/** A text of any length: of a very long one the beginning, and how much there is of it. */
export function LongText({ text }: { text: string }) {
  if (text.length <= MOST_SHOWN) return <>{text}</>;
  return (
    <>
      {text.slice(0, MOST_SHOWN)}
      <span class="hint">
        {' '}
        {t('… The first {shown} of {all} characters.', {
          shown: MOST_SHOWN.toLocaleString(language),
          all: text.length.toLocaleString(language),
        })}
      </span>
    </>
  );
}
