import type { Place, TextBlock } from './document.ts';
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
  private parts: TextBlock[] = [];
  private weight = 0;
  private headings: string[] = [];
  private readonly emit: (chunk: Chunk) => void;

  constructor(emit: (chunk: Chunk) => void) {
    this.emit = emit;
  }

  add(block: TextBlock): void {
    const last = this.parts.at(-1);
    if (last && last.page !== block.page) this.flush();
    if (block.heading !== undefined) this.enter(block.text, block.heading);
    const weight = weigh(block.text);
    if (weight > CHUNK_WEIGHT) {
      this.addLong(block);
      return;
    }
    if (this.weight + weight > CHUNK_WEIGHT) this.flush();
    this.parts.push(block);
    this.weight += weight + 1;
  }

  flush(): void {
    const [first] = this.parts;
    const last = this.parts.at(-1);
    if (first && last && this.parts.some((part) => part.text.trim() !== '')) {
      this.emit({
        text: this.parts.map((part) => part.text).join('\n'),
        place: placeOf(first, last),
        context: this.headings.filter((heading) => heading !== '').join(' › '),
      });
    }
    this.parts = [];
    this.weight = 0;
  }

  private enter(text: string, depth: number): void {
    // A short section stays with the one before it; a heading never ends up alone at the end of a chunk.
    if (this.weight > CHUNK_WEIGHT / 3) this.flush();
    this.headings = [...this.headings.slice(0, depth - 1), text.slice(0, 120)];
    while (this.headings.length < depth) this.headings.unshift('');
  }

  private addLong(block: TextBlock): void {
    this.flush();
    let text = '';
    for (const sentence of sentences(block.text).flatMap((one) => cutToWeight(one, CHUNK_WEIGHT))) {
      if (text !== '' && weigh(text) + weigh(sentence) > CHUNK_WEIGHT) {
        this.parts = [{ ...block, text: text.trimEnd() }];
        this.flush();
        text = '';
      }
      text += sentence;
    }
    this.parts = [{ ...block, text: text.trimEnd() }];
    this.weight = weigh(text);
  }
}

function placeOf(first: TextBlock, last: TextBlock): Place {
  if (first.page !== undefined) return { page: first.page };
  const lastLine = last.line + (last.text.match(/\n/g)?.length ?? 0);
  return { lines: [first.line, lastLine] };
}
