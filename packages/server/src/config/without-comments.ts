const STRING_COMMENT_OR_COMMA =
  /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** JSON of a text in which editors allow comments, and a comma after the last entry; line and column of everything else stay. */
export function withoutComments(text: string): string {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(STRING_COMMENT_OR_COMMA, (part) => (part.startsWith('"') ? part : part.replace(/[^\n]/g, ' ')));
  return plain.trim() === '' ? '' : plain;
}
