import { childOf, childrenOf, type PptRecord, recordAt, recordsIn, TYPES, textIn } from './records.ts';

/** What a slide's text is for. */
export interface SlideText {
  readonly kind: number;
  readonly text: string;
}

export interface Slide {
  readonly record: PptRecord;
  /** Texts that the list of slides keeps for it, to which its shapes point by number. */
  readonly outline: readonly SlideText[];
  readonly notes: PptRecord | undefined;
}

export interface Presentation {
  readonly slides: readonly Slide[];
  /** Texts at the foot of all slides. */
  readonly footers: readonly string[];
}

const SLIDES = 0;
const NOTES = 2;
const MAX_EDITS = 10_000;
const FOOTER = 2;

/** The slides in their order, with their notes; `current` is where the last edit stands. */
export function presentationIn(file: Buffer, current: number): Presentation | undefined {
  const { offsets, document } = persisted(file, current);
  const root = document === undefined ? undefined : recordAt(file, document);
  if (root?.type !== TYPES.document) return undefined;
  const lists = childrenOf(file, root).filter(({ type }) => type === TYPES.slideList);
  const entriesOf = (instance: number) =>
    lists.filter((list) => list.instance === instance).flatMap((list) => entriesIn(file, list));
  const read = new Set<number>();
  const objectOf = (id: number, wanted: number): PptRecord | undefined => {
    const at = offsets.get(id);
    if (at === undefined || read.has(at)) return undefined;
    read.add(at);
    const record = recordAt(file, at);
    return record?.type === wanted ? record : undefined;
  };
  const notes = new Map(entriesOf(NOTES).map(({ slideId, persistId }) => [slideId, persistId]));
  const slides = entriesOf(SLIDES).flatMap(({ persistId, outline }): Slide[] => {
    const record = objectOf(persistId, TYPES.slide);
    if (!record) return [];
    const atom = childOf(file, record, TYPES.slideAtom);
    const notesId = atom && atom.to - atom.from >= 20 ? file.readUInt32LE(atom.from + 16) : 0;
    const own = notes.get(notesId);
    return [{ record, outline, notes: own === undefined ? undefined : objectOf(own, TYPES.notes) }];
  });
  return { slides, footers: footersIn(file, root) };
}

/** The slides of a file whose directory is damaged, as they come. */
export function looseSlides(file: Buffer): Presentation {
  const slides: Slide[] = [];
  for (const record of recordsIn(file, 0, file.length))
    if (record.type === TYPES.slide) slides.push({ record, outline: [], notes: undefined });
  return { slides, footers: [] };
}

/** Where each object stands after all edits, and which one is the document. */
function persisted(file: Buffer, current: number): { offsets: Map<number, number>; document: number | undefined } {
  const offsets = new Map<number, number>();
  let documentId: number | undefined;
  const seen = new Set<number>();
  for (let at = current; at > 0 && !seen.has(at) && seen.size < MAX_EDITS; ) {
    seen.add(at);
    const edit = recordAt(file, at);
    if (edit?.type !== TYPES.userEdit || edit.to - edit.from < 20) break;
    documentId ??= file.readUInt32LE(edit.from + 16);
    const directory = recordAt(file, file.readUInt32LE(edit.from + 12));
    if (directory?.type === TYPES.persistDirectory) addOffsets(file, directory, offsets);
    at = file.readUInt32LE(edit.from + 8);
  }
  return { offsets, document: documentId === undefined ? undefined : offsets.get(documentId) };
}

function addOffsets(file: Buffer, { from, to }: PptRecord, offsets: Map<number, number>): void {
  for (let at = from; at + 4 <= to; ) {
    const head = file.readUInt32LE(at);
    const [first, count] = [head & 0xf_ffff, head >>> 20];
    at += 4;
    for (let n = 0; n < count && at + 4 <= to; n++, at += 4) {
      // The newest edit comes first.
      if (!offsets.has(first + n)) offsets.set(first + n, file.readUInt32LE(at));
    }
  }
}

interface ListEntry {
  readonly persistId: number;
  readonly slideId: number;
  readonly outline: SlideText[];
}

function entriesIn(file: Buffer, list: PptRecord): ListEntry[] {
  const entries: ListEntry[] = [];
  let kind = 0;
  for (const record of recordsIn(file, list.from, list.to)) {
    if (record.type === TYPES.slidePersist && record.to - record.from >= 16) {
      const persistId = file.readUInt32LE(record.from);
      entries.push({ persistId, slideId: file.readUInt32LE(record.from + 12), outline: [] });
    } else if (record.type === TYPES.textHeader && record.to - record.from >= 4) {
      kind = file.readUInt32LE(record.from);
      entries.at(-1)?.outline.push({ kind, text: '' });
    } else {
      const text = textIn(file, record);
      const outline = entries.at(-1)?.outline;
      if (text !== undefined && outline && outline.length > 0) outline[outline.length - 1] = { kind, text };
    }
  }
  return entries;
}

/** The footer of all slides or of one. */
export function footersIn(file: Buffer, parent: PptRecord): string[] {
  return childrenOf(file, parent)
    .filter(({ type, instance }) => type === TYPES.headersFooters && (instance === 3 || instance === 0))
    .flatMap((record) => childrenOf(file, record))
    .flatMap((record) => (record.type === TYPES.string && record.instance === FOOTER ? [textIn(file, record)!] : []));
}
