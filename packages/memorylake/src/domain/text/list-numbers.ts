/** One level of a numbered list: its kind of number, its pattern such as `%1.%2.`, and its first number. */
export interface ListLevel {
  readonly format: string;
  readonly pattern: string;
  readonly start: number;
}

const LEVELS = 9;

/** Counts the paragraphs of the numbered lists of a document, and writes their numbers as they are printed. */
export class ListNumbers {
  readonly #lists: ReadonlyMap<string, { readonly key: string; readonly levels: readonly ListLevel[] }>;
  readonly #counts = new Map<string, number[]>();

  /** Lists by number; lists with the same key go on counting where the other stopped. */
  constructor(lists: ReadonlyMap<string, { readonly key: string; readonly levels: readonly ListLevel[] }>) {
    this.#lists = lists;
  }

  next(list: string, level: number): string {
    const found = this.#lists.get(list);
    const own = found?.levels[level];
    if (!found || !own || level < 0 || level >= LEVELS) return '';
    if (own.format === 'none') return '';
    if (own.format === 'bullet') return '•';
    const counts = this.#counts.get(found.key) ?? [];
    this.#counts.set(found.key, counts);
    for (let at = 0; at < level; at++) counts[at] ??= found.levels[at]?.start ?? 1;
    counts[level] = counts[level] === undefined ? own.start : counts[level] + 1;
    counts.length = level + 1;
    return own.pattern.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      return numberAs(found.levels[at]?.format ?? 'decimal', counts[at] ?? 1);
    });
  }
}

function numberAs(format: string, value: number): string {
  if (format === 'lowerLetter') return letters(value);
  if (format === 'upperLetter') return letters(value).toUpperCase();
  if (format === 'lowerRoman') return roman(value).toLowerCase();
  if (format === 'upperRoman') return roman(value);
  if (format === 'decimalZero') return String(value).padStart(2, '0');
  return String(value);
}

// Word writes aa after z, not ab.
const letters = (value: number): string =>
  value < 1 ? '' : String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.min(9, Math.ceil(value / 26)));

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
];

function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let rest = value;
  let text = '';
  for (const [worth, sign] of ROMAN) {
    for (; rest >= worth; rest -= worth) text += sign;
  }
  return text;
}
