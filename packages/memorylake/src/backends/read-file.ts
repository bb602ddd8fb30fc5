import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { type FileFormat, type ReadLimits, type ReadSink, UnreadableFile } from '../domain/document.ts';
import { decodeText } from '../domain/encoding.ts';
import { formatOfCompound, formatOfText, formatOfZip, signatureOf } from '../domain/file-format.ts';
import type { FileToRead } from './interface.ts';
import { ZipFile } from './zip.ts';

/** Reads any file that can be read, choosing the reader by what the file holds. */
export async function readFile(
  file: FileToRead,
  format: FileFormat,
  sink: ReadSink,
  limits: ReadLimits,
): Promise<void> {
  // Readers load their library only when a file needs it.
  switch (format) {
    case 'xlsx':
      return (await import('./reader-xlsx.ts')).readXlsx(file.path, sink, limits);
    case 'docx':
      return (await import('./reader-docx.ts')).readDocx(file.path, sink, limits);
    case 'pdf':
      return (await import('./reader-pdf.ts')).readPdf(readFileSync(file.path), sink, limits);
    case 'xls':
      return (await import('./reader-xls.ts')).readXls(readFileSync(file.path), sink);
    case 'html':
      return (await import('./reader-html.ts')).readHtml(textOf(file), sink);
    case 'csv':
    case 'tsv':
      return (await import('./reader-csv.ts')).readCsv(textOf(file), sheetName(file.name), sink);
    case 'json':
      return (await import('./reader-text.ts')).readJson(textOf(file), sink);
    case 'md':
      return (await import('./reader-text.ts')).readMarkdown(textOf(file), sink);
    case 'txt':
      return (await import('./reader-text.ts')).readText(textOf(file), sink);
    default:
      throw new UnreadableFile(`It is a file of a kind (${format}) that is not read here`);
  }
}

/** What a file is, by its content. Throws with the reason when it is nothing that can be read. */
export function detectFormat(file: FileToRead, limits: ReadLimits): FileFormat {
  const { size } = statSync(file.path);
  if (size === 0) throw new UnreadableFile('It is empty');
  if (size > limits.maxFileBytes) {
    throw new UnreadableFile(`It has ${megabytes(size)}; at most ${megabytes(limits.maxFileBytes)} are read`);
  }
  const signature = signatureOf(head(file.path));
  if (signature === 'pdf') return 'pdf';
  if (signature === 'zip') {
    const zip = new ZipFile(file.path, limits);
    zip.close();
    return formatOfZip(zip.names);
  }
  if (signature === 'compound') return formatOfCompound(readFileSync(file.path));
  if (signature === 'binary') throw new UnreadableFile('It is neither text nor a document that can be read here');
  return formatOfText(readFileSync(file.path), file.name);
}

function textOf(file: FileToRead): string {
  const { text } = decodeText(readFileSync(file.path));
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function head(path: string): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(64 * 1024);
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(fd);
  }
}

const sheetName = (name: string): string => name.replace(/\.[^.]*$/, '') || name;

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
