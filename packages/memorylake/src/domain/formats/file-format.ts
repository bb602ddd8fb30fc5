import { parseChats } from '../chats/parse-chats.ts';
import { type FileFormat, UnreadableFile } from '../document.ts';
import { areJsonLines } from '../text-formats/json-records.ts';
import { isNotebook } from '../text-formats/notebook.ts';
import { isTableRule } from '../text-formats/pipe-table.ts';
import { isSubtitles } from '../text-formats/subtitles.ts';
import { decodeText, looksBinary } from './encoding.ts';
import { isImage } from './known-binaries.ts';

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
const ZIP = ascii('PK\u0003\u0004');
const EMPTY_ZIP = ascii('PK\u0005\u0006');
const COMPOUND = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** What the first bytes promise: an archive to look into, or the format itself. */
export type Signature = 'zip' | 'compound' | 'pdf' | 'image' | 'xls' | 'text' | 'binary';

export function signatureOf(bytes: Uint8Array): Signature {
  if (startsWith(bytes, ZIP) || startsWith(bytes, EMPTY_ZIP)) return 'zip';
  if (startsWith(bytes, COMPOUND)) return 'compound';
  if (indexOf(bytes.subarray(0, 1024), ascii('%PDF-')) >= 0) return 'pdf';
  if (isImage(bytes)) return 'image';
  if (isOldSheet(bytes)) return 'xls';
  return looksBinary(bytes) ? 'binary' : 'text';
}

// Excel 2 to 4 wrote a sheet without the compound file around it: a record of its version comes first.
const isOldSheet = (bytes: Uint8Array): boolean =>
  bytes[0] === 9 && [0, 2, 4].includes(bytes[1]!) && [4, 6].includes(bytes[2]!) && bytes[3] === 0;

/** What Office and OpenDocument call their main part, and the format it is. */
const OFFICE_TYPES: readonly (readonly [RegExp, FileFormat])[] = [
  [/ms-excel\.sheet\.binary/i, 'xlsb'],
  [/(?:spreadsheetml\.(?:sheet|template)|ms-excel\.(?:sheet|template)\.macroEnabled)\.main/i, 'xlsx'],
  [
    /(?:wordprocessingml\.(?:document|template)|ms-word\.(?:document|template)\.macroEnabled(?:Template)?)\.main/i,
    'docx',
  ],
  [/(?:presentationml|ms-powerpoint)\.(?:presentation|slideshow|template)(?:\.macroEnabled)?\.main/i, 'pptx'],
];
const MIME_TYPES: readonly (readonly [RegExp, FileFormat])[] = [
  [/^application\/epub\+zip/, 'epub'],
  [/opendocument\.text/, 'odt'],
  [/opendocument\.presentation/, 'odp'],
  [/opendocument\.spreadsheet/, 'ods'],
];

/** Formats that live in a zip archive, told by what they declare and by their parts. */
export function formatOfZip(
  names: readonly string[],
  textOf: (name: string) => string | undefined,
  fileName = '',
): FileFormat {
  const has = (name: string) => names.includes(name);
  if (has('xl/workbook.bin')) return 'xlsb';
  if (has('xl/workbook.xml')) return 'xlsx';
  if (has('word/document.xml')) return 'docx';
  if (has('ppt/presentation.xml')) return 'pptx';
  const mime = has('mimetype') ? (textOf('mimetype') ?? '') : '';
  for (const [pattern, format] of MIME_TYPES) if (pattern.test(mime)) return format;
  if (has('META-INF/container.xml')) return 'epub';
  if (
    has('content.xml') &&
    /opendocument|office:document-content/.test(`${mime}${textOf('content.xml')?.slice(0, 4_000)}`)
  ) {
    throw new UnreadableFile('It is an OpenDocument drawing, formula or database. Save it as PDF and add that');
  }
  const types = has('[Content_Types].xml') ? (textOf('[Content_Types].xml') ?? '') : '';
  for (const [pattern, format] of OFFICE_TYPES) if (pattern.test(types)) return format;
  if (/visio/i.test(types)) throw new UnreadableFile('It is a Visio drawing. Save it as PDF and add that');
  if (names.some((name) => /\.iwa$|^index\.(?:apxl|xml)(?:\.gz)?$|^Index\.zip$/.test(name)))
    return formatOfIwork(names, fileName);
  if (names.length === 0) throw new UnreadableFile('It is an empty archive');
  if (names.some((name) => /^META-INF\/MANIFEST\.MF$/i.test(name)))
    throw new UnreadableFile('It is a Java program, not a document');
  throw new UnreadableFile(
    'It is an archive, not a document. Add it with memorylake add --recursive, or unpack it and add the files in it',
  );
}

function formatOfIwork(names: readonly string[], fileName: string): FileFormat {
  if (/\.key(?:note)?$/i.test(fileName) || names.some((name) => /(?:^|\/)Slide.*\.iwa$|\.apxl/.test(name))) {
    throw new UnreadableFile('It is a Keynote presentation. Export it as .pptx or PDF and add that');
  }
  if (
    /\.pages$/i.test(fileName) ||
    names.some((name) => /Drawables.*\.iwa$|Section-.*\.iwa$/.test(name) && !/\.numbers$/i.test(fileName))
  ) {
    throw new UnreadableFile('It is a Pages document. Export it as .docx or PDF and add that');
  }
  return 'numbers';
}

/** What a name promises that no plain text can be. */
const PACKED: ReadonlyMap<string, string> = new Map([
  ['pdf', 'PDF'],
  ['xlsx', 'workbook'],
  ['xls', 'workbook'],
  ['xlsb', 'workbook'],
  ['ods', 'workbook'],
  ['docx', 'Word document'],
  ['doc', 'Word document'],
  ['odt', 'text document'],
  ['pptx', 'presentation'],
  ['ppt', 'presentation'],
  ['odp', 'presentation'],
  ['epub', 'book'],
  ['msg', 'mail'],
  ['png', 'image'],
  ['jpg', 'image'],
  ['zip', 'archive'],
]);

/**
 * Tells texts apart by what they hold; the name only decides between plain text and Markdown. Plain text under the name of
 * a packed format is what is left of a failed download or export, and is not taken for the document.
 */
export function formatOfText(bytes: Uint8Array, name: string): FileFormat {
  const head = decodeText(bytes.subarray(0, 64 * 1024)).text.replace(/^\ufeff/, '');
  const start = head.trimStart();
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  const marked = formatOfMarkup(start);
  if (marked) return marked;
  if (/^(?:xml|svg|gpx|kml|rss|atom|xsd|xsl|plist|nxml)$/.test(extension ?? '') && /^<[a-z!?]/i.test(start))
    return 'xml';
  if ((extension === 'html' || extension === 'htm') && /<[a-z][^>]*>/i.test(start)) return 'html';
  if (/^[[{]/.test(start)) {
    const { text } = decodeText(bytes);
    if (parseChats(text.replace(/^\ufeff/, ''))) return 'chat';
    const data = jsonOf(text.replace(/^\ufeff/, ''));
    if (data !== undefined) return isNotebook(data.value) ? 'notebook' : 'json';
    // What is left of a file that was cut off is text, however many commas it has.
    if (/^(?:json|jsonl|ndjson|geojson|ipynb)$/.test(extension ?? '')) return 'txt';
  }
  if (extension !== 'csv' && head.split(/\r\n|\r|\n/).some(isTableRule)) return 'md';
  const separator = separatorOf(head);
  if (separator !== undefined && (extension === 'csv' || extension === 'tsv' || isTabular(head, separator))) {
    return separator === '\t' ? 'tsv' : 'csv';
  }
  if (extension === 'csv' || extension === 'tsv') return extension;
  const promised = PACKED.get(extension ?? '');
  if (promised) throw new UnreadableFile(`It is broken: its name says ${promised}, but it holds plain text`);
  return extension === 'md' || extension === 'markdown' || looksLikeMarkdown(head) ? 'md' : 'txt';
}

/** Formats whose text is markup or code that people never see. */
function formatOfMarkup(start: string): FileFormat | undefined {
  if (/^\{\\rtf/.test(start)) return 'rtf';
  if (/^ID;P/.test(start)) return 'slk';
  if (/^%!PS/.test(start)) throw new UnreadableFile('It is a PostScript file. Convert it to PDF and add that');
  if (/^<stata_dta>/.test(start))
    throw new UnreadableFile('It is a Stata data file. Save it as CSV or .xlsx and add that');
  if (isMailbox(start)) return 'mbox';
  if (isMail(start)) return 'eml';
  if (/^BEGIN:(?:VCALENDAR|VCARD)\b/i.test(start)) return 'calendar';
  if (isSubtitles(start)) return 'subtitles';
  if (/^-----BEGIN [A-Z0-9 ]+-----/.test(start)) {
    throw new UnreadableFile('It is a key or a certificate (PEM), not a document. Keys do not belong into a lake');
  }
  if (isBase64(start)) throw new UnreadableFile('It is base64, not text. Decode it and add the file that it holds');
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)*<(?:!doctype html|html|head|body)\b/i.test(start)) return 'html';
  if (!start.startsWith('<')) return undefined;
  if (/<(?:\w+:)?Workbook\b[^>]*urn:schemas-microsoft-com:office:spreadsheet/.test(start)) return 'spreadsheetml';
  if (/progid="Excel.Sheet"/.test(start)) return 'spreadsheetml';
  const flat = /<office:document\b[^>]*office:mimetype="([^"]*)"/.exec(start)?.[1];
  if (flat?.includes('spreadsheet')) return 'spreadsheetml';
  if (flat?.includes('text')) return 'odt';
  if (flat?.includes('presentation')) return 'odp';
  if (/<w:wordDocument\b|progid="Word.Document"/.test(start)) return 'docx';
  if (/<pkg:package\b/.test(start))
    throw new UnreadableFile('It is an Office document saved as XML. Save it as .docx or .pptx and add that');
  return /^<(?:\?xml\b|svg\b)/i.test(start) ? 'xml' : undefined;
}

/** Long lines without a blank, of the 64 signs of that encoding; words have blanks, and ids are short. */
const isBase64 = (start: string): boolean =>
  start.length > 400 && /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/.test(start) && /^\S{60}/.test(start) && /\d/.test(start);

const MAIL_HEADERS =
  /^(?:from|to|cc|subject|date|message-id|mime-version|received|return-path|delivered-to|reply-to|sender|content-type|content-transfer-encoding)\s*:/i;

/** A text that begins with the headers of a mail. */
function isMail(start: string): boolean {
  const head = start.replace(/^From [^\n]*\n/, '').split(/\r?\n\r?\n/, 1)[0]!;
  const lines = head.split(/\r?\n/);
  const isHead = lines.every((line) => /^(?:[!-9;-~]+\s*:|\s)/.test(line));
  const known = new Set(lines.flatMap((line) => MAIL_HEADERS.exec(line)?.[0]?.toLowerCase() ?? []));
  const named = [...known].some((name) => /^(?:from|received|message-id|mime-version|return-path)/.test(name));
  if (isHead && known.size >= 2 && named) return true;
  // The body of a mail alone, as some programs export it.
  const boundary = /^content-type:\s*multipart\/[\s\S]*?boundary\s*=\s*"?([^"\s;]+)/i.exec(head)?.[1];
  return isHead && boundary !== undefined && start.includes(`\n--${boundary}`);
}

/** The line that stands above each mail of a mailbox: who sent it and when. */
const isMailbox = (start: string): boolean => /^From \S+.*\d{1,2}:\d{2}.*\r?\n[!-9;-~]+:/.test(start);

/** The sign between the fields, judged by how evenly it occurs in the first lines. */
export function separatorOf(head: string): ',' | '\t' | ';' | '|' | undefined {
  const lines = head
    .split(/\r\n|\r|\n/)
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
    .split(/\r\n|\r|\n/)
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

/** The value of a JSON text; none for JSON Lines, which are JSON too. */
function jsonOf(text: string): { value?: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return areJsonLines(text) ? {} : undefined;
  }
}

const looksLikeMarkdown = (head: string): boolean =>
  /^#{1,6} \S/m.test(head) && (/^(?:[-*] |\d+\. |```|> |\|.*\|)/m.test(head) || /\[[^\]]+\]\([^)]+\)/.test(head));

const startsWith = (bytes: Uint8Array, start: Uint8Array): boolean => start.every((byte, at) => bytes[at] === byte);

const indexOf = (bytes: Uint8Array, part: Uint8Array): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(part);
