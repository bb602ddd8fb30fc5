import { childOf, childrenOf, type PptRecord, recordsIn, TYPES, textIn } from './records.ts';
import type { SlideText } from './slides.ts';

/** What stands on a slide: a text, or a table as cells with the room they take. */
export type Shape = SlideText | { readonly cells: readonly TableCell[] };

export interface TableCell {
  readonly text: string;
  /** Left, top, right and bottom, in units of the drawing. */
  readonly box: readonly [number, number, number, number];
}

const OTHER = 4;
const MAX_DEPTH = 40;
/** Property that marks a group as a table, and the one that holds the text of WordArt. */
const IS_TABLE = 0x39f;
const WORD_ART = 0xc0;

/** The shapes of a slide in the order in which they were drawn; `outline` holds texts that shapes point to. */
export function shapesOn(file: Buffer, slide: PptRecord, outline: readonly SlideText[]): Shape[] {
  const drawing = childOf(file, slide, TYPES.drawing);
  const inside = drawing && childrenOf(file, drawing)[0];
  const used = new Set<number>();
  const shapes = inside ? childrenOf(file, inside).flatMap((record) => shapesIn(file, record, outline, used, 0)) : [];
  return [...shapes, ...outline.filter((_, at) => !used.has(at))];
}

function shapesIn(
  file: Buffer,
  record: PptRecord,
  outline: readonly SlideText[],
  used: Set<number>,
  depth: number,
): Shape[] {
  if (record.type === TYPES.shape) return textsOf(file, record, outline, used);
  if (record.type !== TYPES.group || depth > MAX_DEPTH) return [];
  const members = childrenOf(file, record);
  if (members[0] && isTable(file, members[0])) {
    const cells = members.slice(1).flatMap((member) => cellsIn(file, member, outline, used));
    return cells.length > 0 ? [{ cells }] : [];
  }
  return members.flatMap((member) => shapesIn(file, member, outline, used, depth + 1));
}

function textsOf(file: Buffer, shape: PptRecord, outline: readonly SlideText[], used: Set<number>): SlideText[] {
  const found: SlideText[] = [];
  for (const record of recordsIn(file, shape.from, shape.to)) {
    if (record.type === TYPES.textbox) found.push(...textsInBox(file, record, outline, used));
    else if (record.type === TYPES.properties) {
      const text = complexOf(file, record, WORD_ART);
      if (text) found.push({ kind: OTHER, text: text.toString('utf16le').replace(/\0+$/, '') });
    }
  }
  return found;
}

function textsInBox(file: Buffer, box: PptRecord, outline: readonly SlideText[], used: Set<number>): SlideText[] {
  const found: SlideText[] = [];
  let kind = OTHER;
  for (const record of recordsIn(file, box.from, box.to)) {
    const hasNumber = record.to - record.from >= 4;
    if (record.type === TYPES.textHeader && hasNumber) kind = file.readUInt32LE(record.from);
    else if (record.type === TYPES.outlineText && hasNumber) {
      const at = file.readUInt32LE(record.from);
      if (outline[at] && !used.has(at)) found.push(outline[at]);
      used.add(at);
    } else {
      const text = textIn(file, record);
      if (text !== undefined && record.type !== TYPES.string) found.push({ kind, text });
    }
  }
  return found;
}

function cellsIn(file: Buffer, shape: PptRecord, outline: readonly SlideText[], used: Set<number>): TableCell[] {
  const anchor = childOf(file, shape, TYPES.childAnchor);
  if (shape.type !== TYPES.shape || !anchor || anchor.to - anchor.from < 16) return [];
  // The lines between cells are shapes too, without a text.
  if (!childOf(file, shape, TYPES.textbox)) return [];
  const edge = (at: number) => file.readInt32LE(anchor.from + at * 4);
  const text = textsOf(file, shape, outline, used)
    .map((one) => one.text)
    .join('\r');
  return [{ text, box: [edge(0), edge(1), edge(2), edge(3)] }];
}

/** The first shape of a group stands for the group itself. */
function isTable(file: Buffer, shape: PptRecord): boolean {
  const properties = childOf(file, shape, TYPES.tableProperties);
  return properties !== undefined && (propertyOf(file, properties, IS_TABLE) ?? 0) !== 0;
}

const PROPERTY_BYTES = 6;

function propertyOf(file: Buffer, { from, to, instance }: PptRecord, id: number): number | undefined {
  for (let at = from, n = 0; n < instance && at + PROPERTY_BYTES <= to; at += PROPERTY_BYTES, n++)
    if ((file.readUInt16LE(at) & 0x3fff) === id) return file.readUInt32LE(at + 2);
  return undefined;
}

/** Bytes of a property that stand behind the list of properties. */
function complexOf(file: Buffer, { from, to, instance }: PptRecord, id: number): Buffer | undefined {
  let data = from + instance * PROPERTY_BYTES;
  for (let at = from, n = 0; n < instance && at + PROPERTY_BYTES <= to; at += PROPERTY_BYTES, n++) {
    const key = file.readUInt16LE(at);
    if ((key & 0x8000) === 0) continue;
    const length = file.readUInt32LE(at + 2);
    if ((key & 0x3fff) === id) return data + length <= to ? file.subarray(data, data + length) : undefined;
    data += length;
  }
  return undefined;
}
