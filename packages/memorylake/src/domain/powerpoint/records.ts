/** A piece of a PowerPoint 97 file: `from` and `to` are where its content begins and ends. */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  readonly isContainer: boolean;
  readonly from: number;
  readonly to: number;
}

export const TYPES = {
  document: 1000,
  slide: 1006,
  slideAtom: 1007,
  notes: 1008,
  slidePersist: 1011,
  drawing: 1036,
  textHeader: 3999,
  textChars: 4000,
  outlineText: 3998,
  textBytes: 4008,
  string: 4026,
  headersFooters: 4057,
  userEdit: 4085,
  slideList: 4080,
  tagBlob: 5003,
  persistDirectory: 6002,
  comment: 12000,
  group: 61443,
  shape: 61444,
  properties: 61451,
  textbox: 61453,
  childAnchor: 61455,
  clientAnchor: 61456,
  tableProperties: 61730,
} as const;

const HEADER = 8;
const CONTAINER = 15;
/** Groups within groups deeper than this are not looked into. */
const MAX_DEPTH = 40;

export function recordAt(file: Buffer, at: number, end = file.length): PptRecord | undefined {
  if (at < 0 || at + HEADER > end) return undefined;
  const head = file.readUInt16LE(at);
  const from = at + HEADER;
  const to = Math.min(end, from + file.readUInt32LE(at + 4));
  return { type: file.readUInt16LE(at + 2), instance: head >> 4, isContainer: (head & 15) === CONTAINER, from, to };
}

export function* recordsIn(file: Buffer, from: number, to: number): Generator<PptRecord> {
  for (let at = from; ; ) {
    const record = recordAt(file, at, to);
    if (!record) return;
    yield record;
    at = record.to;
  }
}

export const childrenOf = (file: Buffer, { from, to }: PptRecord): PptRecord[] => [...recordsIn(file, from, to)];

export const childOf = (file: Buffer, parent: PptRecord, type: number): PptRecord | undefined => {
  for (const record of recordsIn(file, parent.from, parent.to)) if (record.type === type) return record;
  return undefined;
};

/** All records of a type anywhere below another; those found are not looked into. */
export function* below(file: Buffer, parent: PptRecord, type: number, depth = 0): Generator<PptRecord> {
  for (const record of recordsIn(file, parent.from, parent.to)) {
    if (record.type === type) yield record;
    else if ((record.isContainer || record.type === TYPES.tagBlob) && depth < MAX_DEPTH)
      yield* below(file, record, type, depth + 1);
  }
}

/** The text of a record, its paragraphs parted by `\r`; undefined where it has none. */
export function textIn(file: Buffer, { type, from, to }: PptRecord): string | undefined {
  if (type === TYPES.textChars || type === TYPES.string) return file.toString('utf16le', from, to);
  return type === TYPES.textBytes ? file.toString('latin1', from, to) : undefined;
}
