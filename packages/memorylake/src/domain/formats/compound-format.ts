import { type FileFormat, UnreadableFile } from '../document.ts';
import { namesInCompound } from './compound-file.ts';

const PASSWORD = 'It is encrypted with a password. Remove the password and add it again';

/** What a stream of a compound file is called, and what the file then is. */
const COMPOUND_REFUSALS: readonly (readonly [string, string])[] = [
  ['PP40', 'It is a PowerPoint 4 file (.ppt). Save it as .pptx or PDF and add that'],
  ['VisioDocument', 'It is a Visio drawing (.vsd). Save it as PDF and add that'],
  ['Quill', 'It is a Publisher document (.pub). Save it as PDF and add that'],
  ['WksSSWorkBook', 'It is a Works spreadsheet. Save it as .xlsx and add that'],
  ['MatOST', 'It is a Works document. Save it as .docx and add that'],
  ['BodyText', 'It is a Hangul document (.hwp). Save it as .docx or PDF and add that'],
  ['Catalog', 'It is a cache of thumbnails, not a document'],
];

/** Formats that live in Microsoft's compound file, told by the names of their streams. */
export function formatOfCompound(bytes: Uint8Array, name = ''): FileFormat {
  const { own, all } = namesInCompound(bytes);
  // What is embedded has the streams of its own format. Without a directory that can be read, a name anywhere has to do.
  const found = formatOfStreams(own) ?? formatOfStreams(all);
  if (found) return found;
  if (all.length === 0) {
    const anywhere = formatOfStreams(
      STREAMS.filter((stream) =>
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(stream, 0, 'utf16le'),
      ),
    );
    if (anywhere) return anywhere;
  }
  const named = /\.(doc|xls|ppt|msg)$/i.exec(name)?.[1]?.toLowerCase();
  if (named)
    throw new UnreadableFile(`It is broken: its name says .${named}, but it has none of the parts of such a file`);
  throw new UnreadableFile(
    'It is a compound file (OLE) of an unknown program. Save it as .docx, .xlsx or PDF and add that',
  );
}

/** Streams that tell a format; of several the first one does. */
const COMPOUND_FORMATS: readonly (readonly [string, FileFormat])[] = [
  ['__nameid_version1.0', 'msg'],
  ['PP97_DUALSTORAGE', 'ppt'],
  ['PowerPoint Document', 'ppt'],
  ['WordDocument', 'doc'],
  ['Workbook', 'xls'],
  ['Book', 'xls'],
];
const STREAMS = [
  'EncryptedPackage',
  ...COMPOUND_FORMATS.map(([name]) => name),
  ...COMPOUND_REFUSALS.map(([name]) => name),
];

function formatOfStreams(names: readonly string[]): FileFormat | undefined {
  const has = (stream: string) => names.some((name) => name.toLowerCase() === stream.toLowerCase());
  if (has('EncryptedPackage')) throw new UnreadableFile(PASSWORD);
  if (names.some((name) => name.startsWith('__substg1.0_'))) return 'msg';
  const format = COMPOUND_FORMATS.find(([stream]) => has(stream))?.[1];
  if (format) return format;
  const refused = COMPOUND_REFUSALS.find(([stream]) => has(stream));
  if (refused) throw new UnreadableFile(refused[1]);
  return undefined;
}
