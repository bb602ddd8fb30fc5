import { CFB } from '@e965/xlsx';
import { type ReadLimits, type ReadSink, UnreadableFile } from '../../../domain/document.ts';
import { below, type PptRecord, recordsIn, TYPES, textIn } from '../../../domain/powerpoint/records.ts';
import { type Shape, shapesOn, type TableCell } from '../../../domain/powerpoint/shapes.ts';
import { footersIn, looseSlides, presentationIn, type Slide } from '../../../domain/powerpoint/slides.ts';
import { DocumentWriter } from '../../../domain/text/document-writer.ts';

const NORMAL = 0xe391c05f;
const ENCRYPTED = 0xf3d1c4df;
/** Kinds of texts: titles of slides and of the first slide, and what a speaker notes. */
const TITLES = new Set([0, 6]);
const NOTES = 2;

/** Reads the presentations of PowerPoint 97 to 2003 slide by slide: titles as headings, tables, notes and comments. */
export function readPpt(bytes: Buffer, sink: ReadSink, limits: ReadLimits): void {
  const { file, user } = open(bytes);
  if (user.length >= 20 && user.readUInt32LE(12) === ENCRYPTED) {
    throw new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  }
  const current = user.length >= 20 && user.readUInt32LE(12) === NORMAL ? user.readUInt32LE(16) : 0;
  const found = presentationIn(file, current);
  const { slides, footers } = found && found.slides.length > 0 ? found : looseSlides(file);
  if (slides.length > limits.maxPages) {
    throw new UnreadableFile(`It has ${slides.length} slides; at most ${limits.maxPages} are read`);
  }
  const writer = new DocumentWriter(sink);
  const shown = new Set<string>();
  for (const [at, slide] of slides.entries()) readSlide(file, slide, at + 1, writer, sink);
  for (const footer of [...footers, ...slides.flatMap(({ record }) => footersIn(file, record))]) {
    if (shown.has(footer)) continue;
    shown.add(footer);
    writer.place = { part: 'footer' };
    write(footer, writer);
  }
}

function readSlide(
  file: Buffer,
  { record, outline, notes }: Slide,
  slide: number,
  writer: DocumentWriter,
  sink: ReadSink,
) {
  writer.place = { slide };
  const shapes = shapesOn(file, record, outline);
  const isTitle = (shape: Shape) => 'kind' in shape && TITLES.has(shape.kind);
  for (const shape of [...shapes.filter(isTitle), ...shapes.filter((one) => !isTitle(one))]) {
    if ('cells' in shape) writeTable(shape.cells, writer);
    else if (isTitle(shape)) {
      sink.title(shape.text);
      write(shape.text.replace(/[\r\v]+/g, ' '), writer, 1);
    } else write(shape.text, writer);
  }
  if (notes) {
    writer.place = { slide, part: 'speaker notes' };
    for (const shape of shapesOn(file, notes, []))
      if ('kind' in shape && shape.kind === NOTES) write(shape.text, writer);
  }
  writer.place = { slide, part: 'comments' };
  for (const comment of below(file, record, TYPES.comment)) writeComment(file, comment, writer);
}

/** A placeholder whose text is a star shows the number of the slide, or the date. */
function write(text: string, writer: DocumentWriter, heading?: number): void {
  for (const paragraph of text.split('\r')) {
    const words = paragraph
      .replaceAll('\v', '\n')
      .replace(/(?![\t\n])\p{Cc}/gu, ' ')
      .trim();
    if (words !== '*') writer.paragraph(words, { heading });
  }
}

const AUTHOR = 0;
const WORDS = 1;

function writeComment(file: Buffer, comment: PptRecord, writer: DocumentWriter): void {
  const strings = new Map<number, string>();
  for (const record of recordsIn(file, comment.from, comment.to))
    if (record.type === TYPES.string) strings.set(record.instance, textIn(file, record) ?? '');
  const author = strings.get(AUTHOR);
  if (author) writer.paragraph(`${author}:`);
  write(strings.get(WORDS) ?? '', writer);
}

/** Cells stand in the rows and columns that their edges make. */
function writeTable(cells: readonly TableCell[], writer: DocumentWriter): void {
  const edges = (at: 0 | 1) => [...new Set(cells.map(({ box }) => box[at]))].sort((a, b) => a - b);
  const [lefts, tops] = [edges(0), edges(1)];
  const span = (from: number, to: number, all: readonly number[]) =>
    all.filter((edge) => edge >= from && edge < to).length;
  writer.openTable();
  for (const top of tops) {
    writer.openRow();
    for (const { text, box } of cells.filter((cell) => cell.box[1] === top).sort((a, b) => a.box[0] - b.box[0])) {
      writer.openCell({ columns: span(box[0], box[2], lefts), rows: span(box[1], box[3], tops) });
      write(text, writer);
    }
  }
  writer.closeTable();
}

function open(bytes: Buffer): { file: Buffer; user: Buffer } {
  try {
    const compound = CFB.read(bytes, { type: 'buffer' }) as {
      FullPaths: string[];
      FileIndex: { content?: Uint8Array }[];
    };
    const { FullPaths: paths, FileIndex: files } = compound;
    const ours = paths.filter((path) => path.endsWith('/PowerPoint Document')).sort((a, b) => rank(a) - rank(b))[0];
    const file = ours && files[paths.indexOf(ours)]?.content;
    const user = ours && files[paths.indexOf(ours.replace(/[^/]*$/, 'Current User'))]?.content;
    if (file) return { file: Buffer.from(file), user: Buffer.from(user ?? []) };
  } catch {
    // A directory that leads out of the file.
  }
  throw new UnreadableFile(
    'It is a PowerPoint 97–2003 file (.ppt) that cannot be read. Save it as .pptx or PDF and add that',
  );
}

/** PowerPoint 95 reads its own part of some files, and newer ones a storage in them; deeper are presentations that are embedded. */
const rank = (path: string): number => (path.includes('PP97_DUALSTORAGE') ? 0 : path.split('/').length);
