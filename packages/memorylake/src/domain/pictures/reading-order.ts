import type { Box } from '../document.ts';
import { type PageLine, unionOf } from '../text/page-lines.ts';
import type { RecognisedText } from './picture.ts';

/** A line of a page whose text was recognised. */
export interface RecognisedLine extends PageLine {
  readonly confidence: number;
}

/** Share of the pieces that may cross the space between two columns: titles, captions, footers. */
const MAX_CROSSING = 0.2;
/** A column of text has at least this many lines, long ones, which fill it. Cells of a table are short or narrow. */
const MIN_LINES = 4;
const MIN_CHARACTERS = 12;
const MIN_FILLED = 0.55;
const MAX_COMPARED = 3_000;
/** Below it are stains and patterns, not text. */
const MIN_CONFIDENCE = 0.5;

/** Lines in the order in which they are read: column by column, and what crosses the columns between them. */
export function inReadingOrder(pieces: readonly RecognisedText[]): RecognisedLine[] {
  const shown = pieces.filter(({ text, confidence }) => text.trim() !== '' && confidence >= MIN_CONFIDENCE);
  const split = shown.length <= MAX_COMPARED ? columnsOf(shown) : undefined;
  if (!split) return rowsOf(shown);
  const { left, right, crossing } = split;
  const stops = [...rowsOf(crossing).map((line) => ({ line, y: middle(line.box) })), undefined];
  let from = Number.NEGATIVE_INFINITY;
  return stops.flatMap((stop) => {
    const to = stop?.y ?? Number.POSITIVE_INFINITY;
    const between = ({ box }: RecognisedText) => middle(box) >= from && middle(box) < to;
    const lines = [...inReadingOrder(left.filter(between)), ...inReadingOrder(right.filter(between))];
    from = to;
    return stop ? [...lines, stop.line] : lines;
  });
}

interface Columns {
  readonly left: readonly RecognisedText[];
  readonly right: readonly RecognisedText[];
  readonly crossing: readonly RecognisedText[];
}

/** The best place for a cut from top to bottom with a column of text on each side. */
function columnsOf(pieces: readonly RecognisedText[]): Columns | undefined {
  if (pieces.length < 2 * MIN_LINES) return undefined;
  const height = median(pieces.map(({ box }) => box[3] - box[1]));
  let best: Columns | undefined;
  for (const cut of new Set(pieces.map(({ box }) => box[0] - height / 4))) {
    const left = pieces.filter(({ box }) => box[2] <= cut);
    const right = pieces.filter(({ box }) => box[0] >= cut);
    const crossing = pieces.filter(({ box }) => box[0] < cut && box[2] > cut);
    if (crossing.length > pieces.length * MAX_CROSSING || !isColumn(left) || !isColumn(right)) continue;
    const smaller = Math.min(left.length, right.length);
    if (!best || smaller > Math.min(best.left.length, best.right.length)) best = { left, right, crossing };
  }
  return best;
}

function isColumn(pieces: readonly RecognisedText[]): boolean {
  if (pieces.length < MIN_LINES) return false;
  const [x0, , x1] = unionOf(pieces.map(({ box }) => box));
  return (
    median(pieces.map(({ text }) => text.length)) >= MIN_CHARACTERS &&
    median(pieces.map(({ box }) => box[2] - box[0])) >= (x1 - x0) * MIN_FILLED
  );
}

/** Lines from top to bottom; pieces at the same height are one line. */
function rowsOf(pieces: readonly RecognisedText[]): RecognisedLine[] {
  const rows: RecognisedText[][] = [];
  for (const piece of [...pieces].sort((a, b) => middle(a.box) - middle(b.box))) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    if (last && middle(piece.box) - middle(last.box) < Math.min(heightOf(last.box), heightOf(piece.box)) / 2) {
      row!.push(piece);
    } else rows.push([piece]);
  }
  return rows.map((row) => lineOf(row.sort((a, b) => a.box[0] - b.box[0])));
}

const lineOf = (words: readonly RecognisedText[]): RecognisedLine => ({
  text: words.map(({ text }) => text.trim()).join(' '),
  box: unionOf(words.map(({ box }) => box)),
  words,
  confidence: lowestOf(words),
});

/** A passage is as sure as its least sure line: one wrong figure makes it wrong. */
export const lowestOf = (texts: readonly { readonly confidence: number }[]): number =>
  Math.round(Math.min(...texts.map(({ confidence }) => confidence)) * 100) / 100;

/** How well several texts could be read on the whole; long ones count for more. */
export function meanConfidence(texts: readonly { readonly text: string; readonly confidence: number }[]): number {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  const sum = texts.reduce((total, { text, confidence }) => total + text.length * confidence, 0);
  return length === 0 ? 0 : sum / length;
}

const middle = (box: Box): number => (box[1] + box[3]) / 2;
const heightOf = (box: Box): number => box[3] - box[1];
const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
