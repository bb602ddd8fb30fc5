/** JSON of a text in which editors allow comments, and a comma after the last entry; line and column of everything else stay. */
export function withoutComments(text: string): string {
  const plain = new Scan(text.replace(/^\ufeff/, '')).plain();
  return plain.trim() === '' ? '' : plain;
}

/** Reads once from start to end: the text may come from anyone. */
class Scan {
  readonly #text: string;
  readonly #parts: string[] = [];
  /** Up to where the text is in the parts. */
  #taken = 0;
  /** A comma that is the last entry's if a bracket follows: its place in the parts. */
  #comma: number | undefined;
  #hasUnended = false;

  constructor(text: string) {
    this.#text = text;
  }

  plain(): string {
    const text = this.#text;
    for (let at = 0; at < text.length; ) {
      const sign = text[at] as string;
      const comment = sign === '/' ? this.#endOfComment(at) : undefined;
      if (comment !== undefined) {
        this.#take(at);
        this.#parts.push(text.slice(at, comment).replace(/[^\n]/g, ' '));
        this.#taken = comment;
        at = comment;
      } else if (sign === ',') {
        this.#take(at);
        this.#comma = this.#parts.push(',') - 1;
        this.#taken = ++at;
      } else if (sign <= ' ' || sign === '\u00a0' || sign === '\ufeff') at++;
      else {
        if (this.#comma !== undefined && (sign === '}' || sign === ']')) this.#parts[this.#comma] = ' ';
        this.#comma = undefined;
        at = sign === '"' ? endOfString(text, at) : at + 1;
      }
    }
    this.#take(text.length);
    return this.#parts.join('');
  }

  /** Undefined where none begins, or where one begins that never ends: the parser complains of that. */
  #endOfComment(start: number): number | undefined {
    const text = this.#text;
    if (text[start + 1] === '/') {
      const end = text.indexOf('\n', start);
      return end < 0 ? text.length : end;
    }
    if (text[start + 1] !== '*' || this.#hasUnended) return undefined;
    const end = text.indexOf('*/', start + 2);
    this.#hasUnended = end < 0;
    return end < 0 ? undefined : end + 2;
  }

  #take(end: number): void {
    if (end > this.#taken) this.#parts.push(this.#text.slice(this.#taken, end));
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}
