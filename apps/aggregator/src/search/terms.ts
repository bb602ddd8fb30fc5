import { chineseStopWords, englishStopWords, tokenise } from '@atoll-mcp/storage/search';

/** Stop words of a question that say what a tool does. */
const MEANINGFUL = new Set(['list', 'show', 'get', 'off', 'down', 'up', 'between']);

/** As terms have them: "does" is stemmed, "为什么" is in two parts. */
const stopTerms = new Set(
  [...englishStopWords, ...chineseStopWords].filter((word) => !MEANINGFUL.has(word)).flatMap(tokenise),
);

/** Most texts have none, and ASCII is tested faster than all scripts. */
const INNER_CAPITAL = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\P{ASCII}/u;

/** The terms of a text as the lake has them, with identifiers such as `readFile` split. */
export function termsOf(text: string): string[] {
  return tokenise(splitIdentifiers(text)).filter((term) => !stopTerms.has(term));
}

function splitIdentifiers(text: string): string {
  if (!INNER_CAPITAL.test(text)) return text;
  return text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
}
