const PICTURES: readonly (readonly [type: string, at: number, bytes: readonly number[]])[] = [
  ['image/png', 0, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', 0, [0xff, 0xd8, 0xff]],
  ['image/gif', 0, [0x47, 0x49, 0x46, 0x38]],
  ['image/webp', 8, [0x57, 0x45, 0x42, 0x50]],
];

const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    csv: 'text/csv',
    tsv: 'text/tab-separated-values',
    txt: 'text/plain',
    log: 'text/plain',
    md: 'text/markdown',
    html: 'text/html',
    json: 'application/json',
    jsonl: 'application/jsonl',
    svg: 'image/svg+xml',
    pdf: 'application/pdf',
    xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    parquet: 'application/vnd.apache.parquet',
    zip: 'application/zip',
  }),
);

/** The type of a picture that clients can show, judged by its bytes; undefined for everything else. */
export const pictureType = (data: Uint8Array): string | undefined =>
  PICTURES.find(([, at, bytes]) => bytes.every((byte, index) => data[at + index] === byte))?.[0];

/** What a file is, by its bytes where they tell, else by its name. */
export const mediaType = (name: string, data: Uint8Array): string =>
  pictureType(data) ??
  BY_EXTENSION.get(/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '') ??
  'application/octet-stream';

export const isTextType = (type: string): boolean => /^text\/|json|svg/.test(type);
