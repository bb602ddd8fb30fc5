/** Frequent words that tell languages apart; words that two of them share are left out. */
const ENGLISH = `the what which who whose how when where why did does do are were is was and of with from that this these those there
  their his her they it its been would could should about between than by for have has had not you can many much at to`;
const OTHERS = `der die das und wie wer ist war wann wo welche welcher welches ein eine nicht auf für von mit dem den wurde warum viele
  el la los las que qué cuál quién cómo cuándo dónde del una por para con en es fue su se como cuántos
  le les des est et une dans du au qui quel quelle où quand comment pourquoi combien sur avec pour par ce cette il elle
  lo gli di che è della nel quale chi come dove quando perché sono un uno
  het een van wat welke waar wie hoe wanneer niet zijn op voor met dat ook
  bir ve ne hangi kaç kim nerede nasıl için ile bu olarak zaman neden kimin
  jest nie się jak kto gdzie kiedy dlaczego jaki jaka jakie w z na od
  o os as um uma não quem onde qual da dos das ao pela
  och är som hvad vad det att ett hur när
  och og er ikke hvem hvor til af på și este cu care ce unde là của và gì nào ai`;
/** In English too; they decide nothing. */
const SHARED = new Set([
  'die',
  'war',
  'do',
  'as',
  'do',
  'to',
  'on',
  'not',
  'is',
  'was',
  'at',
  'for',
  'by',
  'her',
  'has',
  'come',
]);
const english = wordsOf(ENGLISH);
const others = wordsOf(OTHERS);

/**
 * Whether a text is English, as far as can be seen: by its script, and by small words. Undefined for what has none, such as a list of
 * names.
 */
export function isEnglish(text: string): boolean | undefined {
  if (!/\p{L}/u.test(text)) return undefined;
  if (!isLatin(text)) return false;
  let votes = 0;
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    if (english.has(word)) votes++;
    else if (others.has(word)) votes--;
  }
  if (votes !== 0) return votes > 0;
  return /[^\P{L}\p{ASCII}]/u.test(text) ? false : undefined;
}

/** Whether a text is written as one of these languages is, but for a word here and there. */
export function isInScriptOf(languages: readonly string[], text: string): boolean {
  const scripts = new Set(languages.flatMap(scriptsOf));
  const known = new RegExp([...scripts].map((script) => `\\p{Script=${script}}`).join('|'), 'gu');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(known)?.length ?? 0) >= letters * 0.7;
}

/** What those who write a language write it in: that of Japanese, for one, is three scripts. */
function scriptsOf(language: string): readonly string[] {
  const script = new Intl.Locale(language).maximize().script ?? 'Latn';
  if (script === 'Jpan') return ['Hani', 'Hira', 'Kana'];
  if (script === 'Kore') return ['Hang', 'Hani'];
  return script.startsWith('Han') ? ['Hani'] : [script];
}

/** Whether a text is written in Latin letters, but for a word here and there. */
export function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (text.match(/\p{Script=Latin}/gu)?.length ?? 0) >= letters * 0.7;
}

function wordsOf(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/).filter((word) => !SHARED.has(word)));
}
