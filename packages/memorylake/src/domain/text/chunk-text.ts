import { spokenBy } from '../chats/chat-time.ts';
import { isUnsure, type Place, type TextBlock } from '../document.ts';
import { lowestOf } from '../pictures/reading-order.ts';
import { cutToWeight, sentences, weigh } from './sentences.ts';

/** A passage that is found and cited as one. */
export interface Chunk {
  readonly text: string;
  readonly place: Place;
  /** Headings above it, or the columns of its sheet: searched with it, shown apart from it. */
  readonly context: string;
}

/** About 240 tokens: what a small embedding model reads at once. */
export const CHUNK_WEIGHT = 900;

/** Gathers blocks into chunks that end at paragraphs, or at sentences where a paragraph is too long. */
export class TextChunker {
  #parts: TextBlock[] = [];
  #weight = 0;
  #headings: readonly string[] = [];
  /** The headings above the first part of the chunk that is being gathered. */
  #firstHeadings: readonly string[] = [];
  readonly #emit: (chunk: Chunk) => void;

  constructor(emit: (chunk: Chunk) => void) {
    this.#emit = emit;
  }

  add(block: TextBlock): void {
    const last = this.#parts.at(-1);
    if (last && !isSamePart(last, block)) this.flush();
    // What recognition is unsure of is a passage of its own, marked as such.
    else if (last && isUnsure(last) !== isUnsure(block)) this.flush();
    if (block.heading !== undefined) this.#enter(block.text, block.heading);
    const weight = weigh(block.text);
    if (weight > CHUNK_WEIGHT) {
      this.#addLong(block);
      return;
    }
    if (this.#weight + weight > CHUNK_WEIGHT) this.flush();
    this.#push(block, weight);
  }

  flush(): void {
    const parts = this.#parts;
    if (parts.some((part) => part.text.trim() !== '')) {
      const context = new Set([...this.#firstHeadings, ...this.#headings].filter((heading) => heading !== ''));
      this.#emit({
        text: parts.map((part) => part.text).join('\n'),
        place: placeOf(parts, this.#firstHeadings),
        context: [...context].join(' › '),
      });
    }
    this.#parts = [];
    this.#weight = 0;
  }

  #push(block: TextBlock, weight: number): void {
    // Headings in a row, such as a title and a first section, are one path.
    if (this.#parts.every((part) => part.heading !== undefined)) this.#firstHeadings = this.#headings;
    this.#parts.push(block);
    this.#weight += weight + 1;
  }

  #enter(text: string, depth: number): void {
    // A short section stays with the one before it; a heading never ends up alone at the end of a chunk.
    if (this.#weight > CHUNK_WEIGHT / 3) this.flush();
    const headings = [...this.#headings.slice(0, depth - 1), text.slice(0, 120)];
    while (headings.length < depth) headings.unshift('');
    this.#headings = headings;
  }

  #addLong(block: TextBlock): void {
    // Headings right above the block go with its first piece.
    let end = this.#parts.length;
    while (end > 0 && this.#parts[end - 1]!.heading !== undefined) end--;
    const headings = this.#parts.splice(end);
    this.flush();
    for (const heading of headings) this.#push(heading, weigh(heading.text));
    let from = 0;
    let to = 0;
    for (const sentence of sentences(block.text).flatMap((one) => cutToWeight(one, CHUNK_WEIGHT))) {
      const start = block.text.indexOf(sentence, to);
      if (to > from && weigh(block.text.slice(from, to)) + weigh(sentence) > CHUNK_WEIGHT) {
        this.#pushPiece(block, from, to);
        this.flush();
        from = start;
      }
      to = start + sentence.length;
    }
    this.#pushPiece(block, from, to);
  }

  /** A piece of a block, with the lines that it stands on. */
  #pushPiece(block: TextBlock, from: number, to: number): void {
    const raw = block.text.slice(from, to);
    const start = from + raw.length - raw.trimStart().length;
    const text = raw.trim();
    const skipped = lineBreaks(block.text.slice(0, start));
    const boxes = block.boxes?.slice(skipped, skipped + lineBreaks(text) + 1);
    // Only formats with lines count them inside a block; elsewhere the number is that of the block.
    const line = block.paragraph === undefined && block.page === undefined ? block.line + skipped : block.line;
    // Every piece of what was said says who said it.
    const spoken = block.turn !== undefined && from > 0 ? `${spokenBy(block)}… ${text}` : text;
    this.#push({ ...block, text: spoken, line, ...(boxes && { boxes }) }, weigh(text));
  }
}

/** Pages, slides, parts and turns of a chat are cited by themselves. */
const isSamePart = (one: TextBlock, other: TextBlock): boolean =>
  one.page === other.page && one.slide === other.slide && one.part === other.part && one.turn === other.turn;

const lineBreaks = (text: string): number => text.match(/\n/g)?.length ?? 0;

function placeOf(parts: readonly TextBlock[], headings: readonly string[]): Place {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const path = headings.filter((heading) => heading !== '');
  const boxes = parts.flatMap((part) => part.boxes ?? []);
  const recognised = parts.flatMap(({ confidence }) => (confidence === undefined ? [] : [{ confidence }]));
  const isPlaced = first.page !== undefined || first.slide !== undefined || first.turn !== undefined;
  return {
    ...(first.page !== undefined && { page: first.page }),
    ...(boxes.length > 0 && { boxes }),
    ...(first.slide !== undefined && { slide: first.slide }),
    ...(first.part !== undefined && { part: first.part }),
    ...(first.turn !== undefined && { turn: first.turn, ...speech(first) }),
    ...(path.length > 0 && first.page === undefined && { headings: path }),
    ...(first.paragraph !== undefined && { paragraphs: [first.paragraph, last.paragraph ?? first.paragraph] as const }),
    ...(!isPlaced &&
      first.paragraph === undefined && { lines: [first.line, last.line + lineBreaks(last.text)] as const }),
    ...(recognised.length > 0 && { confidence: lowestOf(recognised) }),
  };
}

const speech = ({ speaker, time }: TextBlock): Pick<Place, 'speaker' | 'time'> => ({
  ...(speaker !== undefined && { speaker }),
  ...(time !== undefined && { time }),
});
