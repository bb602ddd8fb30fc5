/** A binary format that is known by its first bytes: what people call it, and what to do instead. */
interface KnownBinary {
  readonly at?: number;
  readonly bytes: readonly number[] | string;
  readonly name: string;
  readonly instead?: string;
}

const OPEN = 'Add it with memorylake add --recursive, or unpack it and add the files in it';
const UNPACK = 'Unpack it and add the files in it';
const TABLE = 'Save it as CSV or .xlsx and add that';
const PICTURE = 'Save it as JPEG or PNG and add that';
const TEXT = 'Save it as .docx or PDF and add that';

const KNOWN: readonly KnownBinary[] = [
  { bytes: [0x1f, 0x8b], name: 'a gzip archive', instead: OPEN },
  { bytes: 'BZh', name: 'a bzip2 archive', instead: UNPACK },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], name: 'an xz archive', instead: UNPACK },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], name: 'a zstd archive', instead: UNPACK },
  { bytes: [0x37, 0x7a, 0xbc, 0xaf], name: 'a 7z archive', instead: UNPACK },
  { bytes: 'Rar!', name: 'a RAR archive', instead: UNPACK },
  { at: 257, bytes: 'ustar', name: 'a tar archive', instead: OPEN },
  { at: 8, bytes: 'WAVE', name: 'a WAV sound' },
  { at: 8, bytes: 'AVI ', name: 'an AVI video' },
  { bytes: 'ID3', name: 'an MP3 sound' },
  { bytes: 'OggS', name: 'an Ogg sound' },
  { bytes: 'fLaC', name: 'a FLAC sound' },
  { at: 4, bytes: 'ftyphei', name: 'a HEIC photo', instead: PICTURE },
  { at: 4, bytes: 'ftypmif1', name: 'a HEIC photo', instead: PICTURE },
  { at: 4, bytes: 'ftypavif', name: 'an AVIF image', instead: PICTURE },
  { at: 4, bytes: 'ftypM4A', name: 'an M4A sound' },
  { at: 4, bytes: 'ftypqt', name: 'a QuickTime video' },
  { at: 4, bytes: 'ftyp', name: 'an MP4 video or sound' },
  { bytes: [0xff, 0xfb], name: 'an MP3 sound' },
  { bytes: '8BPS', name: 'a Photoshop image', instead: PICTURE },
  { bytes: [0, 0, 1, 0], name: 'an icon' },
  { bytes: [0x1a, 0x45, 0xdf, 0xa3], name: 'a Matroska or WebM video' },
  { bytes: 'PAR1', name: 'a Parquet table', instead: TABLE },
  { bytes: 'ORC', name: 'an ORC table', instead: TABLE },
  { bytes: 'ARROW1', name: 'a Feather (Arrow) table', instead: TABLE },
  { bytes: 'FEA1', name: 'a Feather table', instead: TABLE },
  { bytes: [0x89, 0x48, 0x44, 0x46], name: 'an HDF5 file', instead: TABLE },
  { bytes: '<stata_dta>', name: 'a Stata data file', instead: TABLE },
  { bytes: '$FL2', name: 'an SPSS data file', instead: TABLE },
  { bytes: 'SQLite format 3', name: 'an SQLite database', instead: TABLE },
  { at: 4, bytes: 'Standard', name: 'a Microsoft Access database', instead: TABLE },
  { at: 40, bytes: ' EMF', name: 'an EMF drawing', instead: 'Save it as PDF or PNG and add that' },
  { bytes: [0xd7, 0xcd, 0xc6, 0x9a], name: 'a WMF drawing', instead: 'Save it as PDF or PNG and add that' },
  { bytes: [0xff, 0x57, 0x50, 0x43], name: 'a WordPerfect document', instead: TEXT },
  { bytes: [0xdb, 0xa5], name: 'a Word 2 document', instead: TEXT },
  { bytes: [0x31, 0xbe], name: 'a Windows Write document', instead: TEXT },
  { bytes: 'AC10', name: 'an AutoCAD drawing', instead: 'Save it as PDF and add that' },
  { bytes: [0xe4, 0x52, 0x5c, 0x7b], name: 'a OneNote section', instead: 'Export it as PDF and add that' },
  { bytes: '!BDN', name: 'an Outlook mailbox (.pst)', instead: 'Save its mails as .eml or .msg files and add those' },
  {
    bytes: 'bplist00',
    name: 'a binary property list or a web archive of Safari',
    instead: 'Save it as PDF or HTML and add that',
  },
  { bytes: [0, 0x61, 0x73, 0x6d], name: 'a WebAssembly program' },
  { bytes: [0x7f, 0x45, 0x4c, 0x46], name: 'a program' },
  { bytes: 'MZ', name: 'a Windows program' },
  { bytes: [0xca, 0xfe, 0xba, 0xbe], name: 'a compiled program' },
  { bytes: [0x00, 0x01, 0x00, 0x00, 0x00], name: 'a font' },
  { bytes: 'wOF', name: 'a font' },
  { bytes: 'OTTO', name: 'a font' },
];

/** The reason a binary file is refused by: what it is, where its first bytes tell. */
export function refusalOfBinary(bytes: Uint8Array, name: string): string {
  const known = KNOWN.find((format) => matches(bytes, format));
  if (known)
    return known.instead === undefined
      ? `It is ${known.name}, not a document`
      : `It is ${known.name}. ${known.instead}`;
  if (/\.dbf$/i.test(name)) return `It is a dBASE table. ${TABLE}`;
  if (/\.(?:onnx|safetensors|gguf|pt|pkl)$/i.test(name)) return 'It holds the weights of a model, not a document';
  if (/\.dta$/i.test(name)) return `It is a Stata data file. ${TABLE}`;
  return 'It is neither text nor a document that can be read here';
}

/** Images that text recognition takes, by their first bytes. */
export const isImage = (bytes: Uint8Array): boolean =>
  IMAGES.some((signs) => signs.every((sign) => matches(bytes, sign)));

const IMAGES: readonly (readonly Pick<KnownBinary, 'at' | 'bytes'>[])[] = [
  [{ bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] }],
  [{ bytes: [0xff, 0xd8, 0xff] }],
  [{ bytes: [0x49, 0x49, 0x2a, 0x00] }],
  [{ bytes: [0x4d, 0x4d, 0x00, 0x2a] }],
  [{ bytes: 'GIF8' }],
  [{ bytes: 'RIFF' }, { at: 8, bytes: 'WEBP' }],
  // BM alone begins many texts; in a bitmap two empty fields follow its size.
  [{ bytes: 'BM' }, { at: 6, bytes: [0, 0, 0, 0] }],
];

function matches(bytes: Uint8Array, { at = 0, bytes: sign }: Pick<KnownBinary, 'at' | 'bytes'>): boolean {
  const wanted = typeof sign === 'string' ? [...sign].map((letter) => letter.charCodeAt(0)) : sign;
  return wanted.every((byte, index) => bytes[at + index] === byte);
}
