import { chineseStopWords, englishStopWords, tokenise } from '@atoll-mcp/storage/search';

/** Stop words of a question that say what a tool does. */
const MEANINGFUL = new Set(['list', 'show', 'get', 'off', 'down', 'up', 'between']);

/** Most texts have none, and ASCII is tested faster than all scripts. */
const INNER_CAPITAL = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]|\P{ASCII}/u;

/** The terms of a text as the lake has them, with identifiers such as `readFile` split. */
export function termsOf(text: string): string[] {
  return tokenise(splitIdentifiers(text)).filter((term) => !isStopWord(term));
}

function splitIdentifiers(text: string): string {
  if (!INNER_CAPITAL.test(text)) return text;
  return text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
}

const isStopWord = (term: string) =>
  (englishStopWords.has(term) && !MEANINGFUL.has(term)) || chineseStopWords.has(term);
