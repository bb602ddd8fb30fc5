import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { type FileFormat, type ReadLimits, type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { formatOfCompound } from '../../domain/formats/compound-format.ts';
import { missingFrom } from '../../domain/formats/cut-off.ts';
import { decodeHtml, decodeText } from '../../domain/formats/encoding.ts';
import { formatOfText, formatOfZip, signatureOf } from '../../domain/formats/file-format.ts';
import { refusalOfBinary } from '../../domain/formats/known-binaries.ts';
import type { FileToRead } from '../interface.ts';
import type { Recognition } from '../ocr/recognition.ts';
import { ZipFile } from '../zip.ts';

/** Reads any file that can be read, choosing the reader by what the file holds. Without recognition, pictures are left out. */
export async function readFile(
  file: FileToRead,
  format: FileFormat,
  sink: ReadSink,
  limits: ReadLimits,
  recognition?: Recognition,
): Promise<void> {
  // Readers load their library only when a file needs it.
  switch (format) {
    case 'xlsx':
      return (await import('./reader-xlsx.ts')).readXlsx(file.path, sink, limits);
    case 'docx':
      return isZip(file.path)
        ? (await import('./reader-docx.ts')).readDocx(file.path, sink, limits)
        : (await import('./reader-word-xml.ts')).readWordXml(decodeHtml(readFileSync(file.path)), sink);
    case 'pdf':
      return (await import('./reader-pdf.ts')).readPdf(readFileSync(file.path), sink, limits, recognition);
    case 'pptx':
      return (await import('./reader-pptx.ts')).readPptx(file.path, sink, limits);
    case 'odt':
    case 'odp':
      return isZip(file.path)
        ? (await import('./reader-odf.ts')).readOdf(file.path, sink, limits)
        : (await import('./reader-odf.ts')).readFlatOdf(textOf(file), sink);
    case 'epub':
      return (await import('./reader-epub.ts')).readEpub(file.path, sink, limits);
    case 'xls':
    case 'xlsb':
    case 'ods':
    case 'numbers':
    case 'spreadsheetml':
    case 'slk':
      return (await import('./reader-workbook.ts')).readWorkbook(readFileSync(file.path), format, sink, limits);
    case 'rtf':
      return (await import('./reader-rtf.ts')).readRtf(readFileSync(file.path), sink);
    case 'doc':
      return (await import('./old-office/reader-doc.ts')).readDoc(readFileSync(file.path), sink);
    case 'ppt':
      return (await import('./old-office/reader-ppt.ts')).readPpt(readFileSync(file.path), sink, limits);
    case 'eml':
      return (await import('./reader-eml.ts')).readEml(readFileSync(file.path), sink);
    case 'mbox':
      return (await import('./reader-mbox.ts')).readMbox(readFileSync(file.path), sink);
    case 'msg':
      return (await import('./old-office/reader-msg.ts')).readMsg(readFileSync(file.path), sink);
    case 'html':
      return (await import('./reader-html.ts')).readHtml(decodeHtml(readFileSync(file.path)), sink);
    case 'csv':
    case 'tsv':
      return (await import('./reader-csv.ts')).readCsv(textOf(file), sheetName(file.name), sink);
    case 'json':
      return (await import('./reader-text.ts')).readJson(textOf(file), sink);
    case 'notebook':
      return (await import('../../domain/text-formats/notebook.ts')).readNotebook(textOf(file), sink);
    case 'xml':
      return (await import('./reader-xml.ts')).readXml(decodeHtml(readFileSync(file.path)), sink);
    case 'calendar':
      return (await import('../../domain/text-formats/content-lines.ts')).readContentLines(textOf(file), sink);
    case 'subtitles':
      return (await import('../../domain/text-formats/subtitles.ts')).readSubtitles(textOf(file), sink);
    case 'chat':
      return (await import('./reader-chat.ts')).readChat(textOf(file), sink);
    case 'md':
      return (await import('./reader-text.ts')).readMarkdown(textOf(file), sink);
    case 'txt':
      return (await import('./reader-text.ts')).readText(textOf(file), sink);
    case 'image':
      return (await import('./reader-image.ts')).readImage(readFileSync(file.path), sink, recognition);
    default:
      return format satisfies never;
  }
}

/** What an answer from the file may miss, as the file itself shows. */
export function noticesOn(file: FileToRead, format: FileFormat): string[] {
  const { size } = statSync(file.path);
  return missingFrom(format, {
    name: file.name,
    head: Buffer.from(head(file.path)).toString('latin1'),
    tail: Buffer.from(head(file.path, Math.max(0, size - END_BYTES))).toString('latin1'),
    all: () => readFileSync(file.path).toString('latin1'),
  });
}

/** Programs may add a little behind the end mark of a file. */
const END_BYTES = 4_096;

/** What a file is, by its content. Throws with the reason when it is nothing that can be read. */
export function detectFormat(file: FileToRead, limits: ReadLimits): FileFormat {
  const { size } = statSync(file.path);
  if (size === 0) throw new UnreadableFile('It is empty');
  if (size > limits.maxFileBytes) {
    throw new UnreadableFile(`It has ${megabytes(size)}; at most ${megabytes(limits.maxFileBytes)} are read`);
  }
  const start = head(file.path);
  const signature = signatureOf(start);
  if (signature === 'pdf' || signature === 'image' || signature === 'xls') return signature;
  if (signature === 'zip') {
    const zip = new ZipFile(file.path, limits);
    try {
      return formatOfZip(zip.names, (name) => zip.text(name), file.name);
    } finally {
      zip.close();
    }
  }
  if (signature === 'compound') return formatOfCompound(readFileSync(file.path), file.name);
  if (signature === 'binary') throw new UnreadableFile(refusalOfBinary(start, file.name));
  return formatOfText(readFileSync(file.path), file.name);
}

function textOf(file: FileToRead): string {
  const { text } = decodeText(readFileSync(file.path));
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function head(path: string, from = 0): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(64 * 1024);
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from));
  } finally {
    closeSync(fd);
  }
}

const isZip = (path: string): boolean => signatureOf(head(path)) === 'zip';

const sheetName = (name: string): string => name.replace(/\.[^.]*$/, '') || name;

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
