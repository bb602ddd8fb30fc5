/** Writes Office's equations as a line of text: fractions with a stroke, powers with `^`, roots with `√`. */
export class EquationText {
  readonly #open: { name: string; start: number; mark: string; end: string }[] = [];
  #text = '';

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  /** Takes the text of the equation that just ended. */
  take(): string {
    const text = this.#text;
    this.#text = '';
    return text;
  }

  write(text: string): void {
    this.#text += text;
  }

  openTag(name: string, value: string | undefined): void {
    const element = { name, start: this.#text.length, mark: '', end: '' };
    if (name === 'd') {
      element.mark = '(';
      element.end = ')';
      this.#text += '(';
    } else if (name === 'rad') this.#text += '√';
    else if (name === 'nary') {
      element.mark = '∫';
      this.#text += '∫';
    }
    const parent = this.#nearest('d', 'nary', 'acc', 'groupChr');
    if (value !== undefined && parent) {
      if (name === 'begChr' && parent.name === 'd') this.#replaceMark(parent, value);
      if (name === 'endChr' && parent.name === 'd') parent.end = value;
      if (name === 'chr' && parent.name === 'nary') this.#replaceMark(parent, value);
    }
    this.#open.push(element);
  }

  closeTag(): void {
    const element = this.#open.pop();
    if (!element) return;
    const inside = this.#text.slice(element.start);
    const parent = this.#open.at(-1)?.name;
    if (element.name === 'd') this.#text += element.end;
    else if (element.name === 'num') this.#wrap(element.start, inside, '', '/');
    else if (element.name === 'den') this.#wrap(element.start, inside, '', '');
    else if (element.name === 'sup') this.#wrap(element.start, inside, '^', '');
    else if (element.name === 'sub') this.#wrap(element.start, inside, '_', '');
    else if (element.name === 'fName') this.#text += ' ';
    else if (element.name === 'e' && parent === 'rad') this.#wrap(element.start, inside, '', '');
    else if (element.name === 'deg') this.#text = this.#text.slice(0, element.start);
    else if (element.name === 'mr') this.#text += '; ';
    else if (element.name === 'e' && parent === 'mr') this.#text += ' ';
  }

  #wrap(start: number, inside: string, before: string, after: string): void {
    if (inside === '') return;
    const body = [...inside].length > 1 ? `(${inside})` : inside;
    this.#text = `${this.#text.slice(0, start)}${before}${body}${after}`;
  }

  #replaceMark(element: { start: number; mark: string }, value: string): void {
    const from = element.start;
    this.#text = `${this.#text.slice(0, from)}${value}${this.#text.slice(from + element.mark.length)}`;
    element.mark = value;
  }

  #nearest(...names: string[]) {
    return this.#open.findLast(({ name }) => names.includes(name));
  }
}
