import { type FileFormat, UnreadableFile } from './document.ts';
import { decodeText, looksBinary } from './encoding.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const wide = (text: string): Uint8Array => Uint8Array.from([...text].flatMap((sign) => [sign.charCodeAt(0), 0]));
const ZIP = ascii('PK\u0003\u0004');
const EMPTY_ZIP = ascii('PK\u0005\u0006');
const COMPOUND = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** What the first bytes promise: an archive to look into, or the format itself. */
export type Signature = 'zip' | 'compound' | 'pdf' | 'text' | 'binary';

export function signatureOf(bytes: Uint8Array): Signature {
  if (startsWith(bytes, ZIP) || startsWith(bytes, EMPTY_ZIP)) return 'zip';
  if (startsWith(bytes, COMPOUND)) return 'compound';
  if (indexOf(bytes.subarray(0, 1024), ascii('%PDF-')) >= 0) return 'pdf';
  return looksBinary(bytes) ? 'binary' : 'text';
}

/** Formats that live in a zip archive, told by their parts. */
export function formatOfZip(names: readonly string[]): FileFormat {
  const has = (name: string) => names.includes(name);
  if (has('xl/workbook.xml')) return 'xlsx';
  if (has('word/document.xml')) return 'docx';
  if (has('xl/workbook.bin'))
    throw new UnreadableFile('It is a binary workbook (.xlsb). Save it as .xlsx and add that');
  if (has('ppt/presentation.xml'))
    throw new UnreadableFile('It is a presentation (.pptx). Save it as PDF and add that');
  if (has('mimetype') && has('content.xml')) {
    throw new UnreadableFile('It is an OpenDocument file. Save it as .xlsx, .docx or PDF and add that');
  }
  if (names.length === 0) throw new UnreadableFile('It is an empty archive');
  throw new UnreadableFile('It is an archive, not a document. Unpack it and add the files in it');
}

/** Formats that live in Microsoft's compound file, told by the names of their streams. */
export function formatOfCompound(bytes: Uint8Array): FileFormat {
  if (indexOf(bytes, wide('EncryptedPackage')) >= 0) {
    throw new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  }
  if (indexOf(bytes, wide('Workbook')) >= 0 || indexOf(bytes, wide('Book')) >= 0) return 'xls';
  if (indexOf(bytes, wide('WordDocument')) >= 0) {
    throw new UnreadableFile('It is an old Word document (.doc). Save it as .docx and add that');
  }
  throw new UnreadableFile('It is a compound file of a kind that is not read here');
}

/** What a name promises that no plain text can be. */
const PACKED: ReadonlyMap<string, string> = new Map([
  ['pdf', 'PDF'],
  ['xlsx', 'workbook'],
  ['xls', 'workbook'],
  ['docx', 'Word document'],
]);

/**
 * Tells texts apart by what they hold; the name only decides between plain text and Markdown. Plain text under the name of
 * a packed format is what is left of a failed download or export, and is not taken for the document.
 */
export function formatOfText(bytes: Uint8Array, name: string): FileFormat {
  const head = decodeText(bytes.subarray(0, 64 * 1024)).text.replace(/^\ufeff/, '');
  const start = head.trimStart();
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  if (/^(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i.test(start)) return 'html';
  if ((extension === 'html' || extension === 'htm') && /<[a-z][^>]*>/i.test(start)) return 'html';
  if (/^[[{]/.test(start) && isJson(bytes)) return 'json';
  const separator = separatorOf(head);
  if (separator !== undefined && (extension === 'csv' || extension === 'tsv' || isTabular(head, separator))) {
    return separator === '\t' ? 'tsv' : 'csv';
  }
  if (extension === 'csv' || extension === 'tsv') return extension;
  const promised = PACKED.get(extension ?? '');
  if (promised) throw new UnreadableFile(`It is broken: its name says ${promised}, but it holds plain text`);
  return extension === 'md' || extension === 'markdown' || looksLikeMarkdown(head) ? 'md' : 'txt';
}

/** The sign between the fields, judged by how evenly it occurs in the first lines. */
export function separatorOf(head: string): ',' | '\t' | ';' | '|' | undefined {
  const lines = head
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 30);
  let best: { sign: ',' | '\t' | ';' | '|'; score: number } | undefined;
  for (const sign of ['\t', ',', ';', '|'] as const) {
    const counts = lines.map((line) => countOutsideQuotes(line, sign));
    const usual = median(counts);
    if (usual === 0) continue;
    const score = (counts.filter((count) => count === usual).length / counts.length) * Math.min(3, 1 + usual);
    if (!best || score > best.score) best = { sign, score };
  }
  return best?.sign;
}

// A text without the name of a table must look like one in nearly every line.
function isTabular(head: string, separator: string): boolean {
  const lines = head
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 50);
  const counts = lines.map((line) => countOutsideQuotes(line, separator));
  const usual = median(counts);
  const even = counts.filter((count) => count === usual).length >= counts.length * 0.95;
  const short = lines.every((line) => line.split(separator).every((field) => field.length < 80));
  return (
    lines.length >= 3 && usual >= (separator === '\t' ? 1 : 2) && even && short && !/[.!?]\s+[A-Z]/.test(lines[0]!)
  );
}

function countOutsideQuotes(line: string, sign: string): number {
  let count = 0;
  let quoted = false;
  for (const letter of line) {
    if (letter === '"') quoted = !quoted;
    else if (letter === sign && !quoted) count++;
  }
  return count;
}

const median = (counts: readonly number[]): number => [...counts].sort((a, b) => a - b)[counts.length >> 1] ?? 0;

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decodeText(bytes).text.replace(/^\ufeff/, ''));
    return true;
  } catch {
    return false;
  }
}

const looksLikeMarkdown = (head: string): boolean =>
  /^#{1,6} \S/m.test(head) && (/^(?:[-*] |\d+\. |```|> |\|.*\|)/m.test(head) || /\[[^\]]+\]\([^)]+\)/.test(head));

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean => start.every((byte, at) => bytes[at] === byte);

const indexOf = (bytes: Uint8Array, part: Uint8Array): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(part);
