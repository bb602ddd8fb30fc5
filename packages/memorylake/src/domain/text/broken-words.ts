/** Words that were broken at the end of a line, put together again: the text keeps them as printed, search finds both. */
export function brokenWords(text: string): string[] {
  const words: string[] = [];
  for (const [, start, end] of text.matchAll(/(\p{L}{2,})[-\u00ad\u2010]\s*\n\s*(\p{Ll}{2,})/gu))
    words.push(start! + end!);
  return words;
}
