import { chineseStopWords, englishStopWords, isCjk } from '@atoll-mcp/storage/search';

/** A question in the five parts that lexical and dense retrieval each want. */
export interface ParsedQuery {
  readonly bm25CleanedQuery: string;
  readonly namedEntities: readonly string[];
  readonly bm25Keywords: readonly string[];
  readonly bm25BoostKeywords: readonly string[];
  readonly rewrittenQueryForDenseModel: string;
}

const BOOST_KEYWORDS = 5;
const WORD = /[\p{L}\p{N}]+(?:[._\-+#/@'’][\p{L}\p{N}]+)*[+#]*/gu;
const QUOTED = /["“”「『《«]([^"“”「」『』《》«»]{2,80})["“”」』》»]/gu;
const TECHNICAL = /^(?=.*[\p{L}\p{N}])(?=.*[\p{N}._\-+#/@]).{2,}$/u;
const PROPER = /^\p{Lu}[\p{L}\p{N}'’.-]*$/u;
const CHINESE_NAME =
  /[\p{Script=Han}]{2,12}?(?:公司|集团|集團|大学|大學|学院|學院|银行|銀行|医院|醫院|委员会|委員會|基金|研究院|研究所)/gu;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** Reads a plain question as a careful caller would: stop words out, names and technical terms kept and raised. */
export function parseQuery(question: string): ParsedQuery {
  const text = question.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const words = contentWords(text);
  const entities = unique([...quoted(text), ...properNames(text), ...technicalTerms(words), ...chineseNames(text)]);
  const keywords = unique([...entities, ...words.flatMap((word) => word.split(' '))]);
  const distinctive = [...keywords].sort((a, b) => weightOf(b) - weightOf(a));
  return {
    bm25CleanedQuery: words.length > 0 ? words.join(' ') : text,
    namedEntities: entities,
    bm25Keywords: keywords,
    bm25BoostKeywords: unique([...entities, ...distinctive]).slice(0, Math.max(entities.length, BOOST_KEYWORDS)),
    rewrittenQueryForDenseModel: text,
  };
}

function contentWords(text: string): string[] {
  return [...text.matchAll(WORD)].flatMap(([run]) =>
    /\p{Script=Han}/u.test(run) ? chineseWords(run) : latinWords(run),
  );
}

function latinWords(run: string): string[] {
  return englishStopWords.has(run.toLowerCase()) ? [] : [run];
}

// Neighbouring words stay joined, so that the bigram across them still counts; a stop word parts them.
function chineseWords(run: string): string[] {
  const kept: string[] = [];
  let current = '';
  const flush = () => {
    if (current !== '') kept.push(current);
    current = '';
  };
  for (const { segment } of segmenter.segment(run)) {
    if (chineseStopWords.has(segment)) flush();
    else if (current !== '' && isCjk(current) !== isCjk(segment)) {
      flush();
      current = segment;
    } else current += segment;
  }
  flush();
  return kept.filter((word) => !englishStopWords.has(word.toLowerCase()));
}

const quoted = (text: string): string[] => [...text.matchAll(QUOTED)].map((match) => match[1]!.trim());

const chineseNames = (text: string): string[] =>
  (text.match(/[\p{Script=Han}]+/gu) ?? []).flatMap((run) =>
    chineseWords(run).flatMap((word) => word.match(CHINESE_NAME) ?? []),
  );

const technicalTerms = (words: readonly string[]): string[] =>
  words.filter((word) => TECHNICAL.test(word) && !/^\p{N}$/u.test(word) && !isCjk(word));

/** Runs of capitalised words; the first word of a sentence counts only when it is no common word. */
function properNames(text: string): string[] {
  const names: string[] = [];
  for (const sentence of text.split(/(?<=[.?!。？！])\s+/u)) {
    let run: string[] = [];
    const flush = () => {
      if (run.length > 0) names.push(run.join(' '));
      run = [];
    };
    const words = sentence.match(/[^\s,;:()?!"“”，。；：？！、]+/gu) ?? [];
    words.forEach((raw, index) => {
      const word = raw.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '').replace(/['’]s$/, '');
      const isName = PROPER.test(word) && !englishStopWords.has(word.toLowerCase());
      if (isName && (index > 0 || words.length === 1 || word === word.toUpperCase() || PROPER.test(words[1] ?? ''))) {
        run.push(word);
      } else flush();
    });
    flush();
  }
  return names;
}

// Longer words and those with digits or inner signs tell more.
const weightOf = (word: string): number =>
  (isCjk(word) ? word.length * 3 : word.length) + (TECHNICAL.test(word) ? 5 : 0);

function unique(words: readonly string[]): string[] {
  const seen = new Set<string>();
  return words.filter((word) => {
    const key = word.toLowerCase();
    if (word === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
