/** Cuts running text into sentences, by the marks that end them in any script, keeping every character. */
export function sentences(text: string): string[] {
  const found = text.match(
    /[^.!?。！？；؟۔।॥\n]+(?:[.!?](?!\s|$)[^.!?。！？；؟۔।॥\n]*)*(?:[.!?。！？；؟۔।॥]+["”’」』)]*|\n|$)\s*/gu,
  );
  return found ?? (text.trim() === '' ? [] : [text]);
}

/** Length in the units an embedding model counts: a Chinese sign is about a token, four Latin letters are. */
export function weigh(text: string): number {
  let weight = text.length;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x2e80) weight += 3;
  return weight;
}

/** Cuts what no sentence end cuts, at a space where there is one. */
export function cutToWeight(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let rest = text;
  while (weigh(rest) > limit) {
    let end = 0;
    for (let weight = 0; end < rest.length && weight < limit; end++) weight += rest.charCodeAt(end) >= 0x2e80 ? 4 : 1;
    const space = rest.lastIndexOf(' ', end);
    const cut = space > end / 2 ? space + 1 : safeCut(rest, end);
    pieces.push(rest.slice(0, cut));
    rest = rest.slice(cut);
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}

// Never between the two halves of one character.
function safeCut(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
