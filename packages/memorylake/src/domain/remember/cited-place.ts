import type { Place } from '../document.ts';

/** What a caller cites: a place as search_memory gives it, or the number of a passage. */
export interface CitedPlace extends Place {
  readonly chunk?: number;
}

export const isWhole = (place: CitedPlace): boolean =>
  Object.entries(place).every(([key, value]) => key === 'headings' || value === undefined);

/** Whether a passage stands, at least in part, at the place. */
export function standsAt({ place: at, chunk }: { place: Place; chunk: number }, cited: CitedPlace): boolean {
  if (cited.chunk !== undefined) return cited.chunk === chunk;
  return (
    isSame(cited.page, at.page) &&
    isSame(cited.slide, at.slide) &&
    isSame(cited.part, at.part) &&
    isSame(cited.sheet, at.sheet) &&
    isSame(cited.turn, at.turn) &&
    overlaps(cited.rows, at.rows) &&
    overlaps(cited.lines, at.lines) &&
    overlaps(cited.paragraphs, at.paragraphs) &&
    (cited.boxes === undefined || cited.boxes.some((box) => at.boxes?.some((other) => box.join() === other.join())))
  );
}

const isSame = (wanted: unknown, there: unknown): boolean => wanted === undefined || wanted === there;

type Range = readonly [number, number];

const overlaps = (wanted: Range | undefined, there: Range | undefined): boolean =>
  wanted === undefined || (there !== undefined && wanted[0] <= there[1] && there[0] <= wanted[1]);

/** Text without regard to line breaks and blanks: a file saved by another program still says the same. */
export const plainText = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();
