import type { FileFormat } from '../document.ts';
import { separatorOf } from './file-format.ts';

/** The bytes of a file: its ends, and all of it where that is needed. */
export interface FileEnds {
  readonly name: string;
  readonly head: string;
  readonly tail: string;
  /** One character per byte, as the ends. */
  all(): string;
}

/** How many attachments of a mail, or files of an archive, become memories of their own. */
export const MAX_PARTS = 2_000;

/** What an answer from a file may miss, where the file itself shows it: most of all that its end is missing. */
export function missingFrom(format: FileFormat, file: FileEnds): string[] {
  switch (format) {
    case 'eml':
      return [...cutMail(file.all()), ...tooManyAttachments(file.all())];
    case 'mbox': {
      const all = file.all();
      return [...cutMail(all.slice(all.lastIndexOf('\nFrom ') + 1)), ...tooManyAttachments(all)];
    }
    case 'rtf':
      return hasOpenGroups(file.all())
        ? ['The file ends in the middle of the document: its groups are not closed']
        : [];
    case 'html':
      return isCutPage(file) ? ['The file ends in the middle of the page: its elements are not closed'] : [];
    case 'xml':
      return isCutXml(file) ? ['The file ends in the middle: its first element is not closed'] : [];
    case 'pdf':
      return file.tail.includes('%%EOF') ? [] : ['The file has no end mark and may be cut off: pages may be missing'];
    case 'csv':
    case 'tsv':
      return cutRow(file);
    case 'txt':
      return /\.(?:json|jsonl|ndjson|geojson|ipynb)$/i.test(file.name)
        ? ['It is not valid JSON and was read as plain text; it may be cut off']
        : [];
    default:
      return [];
  }
}

function cutMail(mail: string): string[] {
  const headEnd = mail.search(/\r?\n\r?\n/);
  const head = (headEnd < 0 ? mail : mail.slice(0, headEnd)).replace(/\r?\n[ \t]+/g, ' ');
  const type = /^content-type:(.*)$/im.exec(head)?.[1] ?? '';
  const boundary = /^\s*multipart\//i.test(type) ? /boundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(type) : null;
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark !== undefined) {
    const isWhole = !mail.includes(`\n--${mark}`) || mail.includes(`\n--${mark}--`);
    return isWhole ? [] : ['The file ends in the middle of the mail: text or attachments may be missing'];
  }
  if (headEnd < 0 || !/^content-transfer-encoding:\s*base64\s*$/im.test(head)) return [];
  const encoded = mail.slice(headEnd).match(/[A-Za-z0-9+/=]/g)?.length ?? 0;
  return encoded % 4 === 0 ? [] : ['The file ends in the middle of the mail: its base64 is cut off'];
}

function tooManyAttachments(mail: string): string[] {
  const count = mail.match(/^content-disposition:\s*attachment/gim)?.length ?? 0;
  const most = MAX_PARTS.toLocaleString('en-US');
  return count > MAX_PARTS
    ? [`It has ${count.toLocaleString('en-US')} attachments; the first ${most} are memories of their own`]
    : [];
}

function hasOpenGroups(rtf: string): boolean {
  // Raw bytes may hold any sign.
  if (/\\bin\d/.test(rtf)) return false;
  let depth = 0;
  for (let at = 0; at < rtf.length; at++) {
    const code = rtf.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x7b) depth++;
    else if (code === 0x7d) depth--;
  }
  return depth > 0;
}

/** Many pages leave out their last tags; a page that does so and leaves a table or a box open was cut. */
function isCutPage(file: FileEnds): boolean {
  if (!/<html\b/i.test(file.head) || /<\/(?:html|body)\s*>/i.test(file.tail)) return false;
  if (file.tail.lastIndexOf('<') > file.tail.lastIndexOf('>')) return true;
  let open = 0;
  for (const tag of file.all().matchAll(/<(\/?)(?:div|table|ul|ol|script|style|section|article)\b/gi))
    open += tag[1] === '/' ? -1 : 1;
  return open > 0;
}

function isCutXml({ head, tail }: FileEnds): boolean {
  const root = /<([A-Za-z_][\w:.-]*)(?:\s[^<>]*)?>/.exec(head.replace(/<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<![^>]*>/g, ''));
  return root !== null && !root[0].endsWith('/>') && !tail.includes(`</${root[1]}`);
}

/** A last row without a line end that has fewer cells than the one before. */
function cutRow({ head, tail }: FileEnds): string[] {
  if (/[\r\n]$/.test(tail) || tail.includes('\0')) return [];
  const [row, before] = tail.split(/\r\n|\r|\n/).reverse();
  const separator = separatorOf(head);
  if (row === undefined || before === undefined || separator === undefined || /"/.test(row + before)) return [];
  const cells = (line: string) => line.split(separator).length;
  return cells(row) < cells(before)
    ? [`The last row has ${cells(row)} of ${cells(before)} cells: the file may be cut off`]
    : [];
}
