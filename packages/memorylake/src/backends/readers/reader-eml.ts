import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { decodeText } from '../../domain/formats/encoding.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { writeMailHead } from '../../domain/text/mail.ts';
import type { FilePart } from '../interface.ts';
import { readHtml } from './reader-html.ts';

/** Mails inside mails deeper than this are refused. */
const DEEPEST = 64;
const MOST_HEADER_BYTES = 2 * 2 ** 20;

/** Reads a mail: its headers, its best text, and the names of what is attached. */
export const readEml = (bytes: Uint8Array, sink: ReadSink): Promise<void> =>
  writeEml(bytes, sink, new DocumentWriter(sink));

/** `above` is what its parts stand in, such as `mail 3, ` of a mailbox. */
export async function writeEml(bytes: Uint8Array, sink: ReadSink, writer: DocumentWriter, above = ''): Promise<void> {
  const mail = await parse(bytes);
  const attachments = mail.attachments
    .filter(isAttached)
    .map((part, at) => ({ name: nameOf(part, at), sizeBytes: sizeOf(part) }));
  writeMailHead(
    {
      subject: mail.subject ?? '',
      from: people(mail.from ? [mail.from] : []),
      to: people(mail.to),
      cc: people(mail.cc),
      date: mail.date ?? '',
      attachments,
    },
    sink,
    writer,
    above,
  );
  writeMailText({ html: mail.html, text: mail.text }, sink, writer, above);
}

/** What is attached to a mail; pictures that stand in its text are part of that. */
export async function attachmentsOfEml(bytes: Uint8Array): Promise<FilePart[]> {
  const { attachments } = await parse(bytes);
  return attachments
    .filter(isAttached)
    .map((part, at) => ({ name: nameOf(part, at), bytes: bytesOf(part), isInline: part.related === true }))
    .filter(({ isInline }) => !isInline);
}

/** Style sheets and pictures of a page that was saved as one file (.mht) have no names: they are not attached to it. */
const isAttached = ({ filename, disposition, mimeType }: Attachment): boolean =>
  Boolean(filename) || disposition === 'attachment' || !PAGE_PARTS.test(mimeType);

const PAGE_PARTS = /^(?:text\/css|(?:text|application)\/(?:x-)?javascript|font\/|image\/)/;

/** Writes the text of a mail: as a page where it was sent as one, since that has its tables and links. */
export function writeMailText(
  { html, text }: { html: string | undefined; text: string | undefined },
  sink: ReadSink,
  writer: DocumentWriter,
  above = '',
): void {
  writer.place = { part: `${above}text` };
  if (html !== undefined && html.trim() !== '') {
    readHtml(html, { ...sink, ...quiet(sink) }, { writer, countsLines: false, withNavigation: true });
    writer.end();
    if (!saysMore(text ?? '', html)) return;
    writer.place = { part: `${above}plain text` };
  }
  for (const paragraph of (text ?? '').split(/\r?\n\s*\r?\n/)) writer.paragraph(paragraph);
}

/** Some mails have their words as plain text alone, and as a page only a picture or a signature. */
function saysMore(text: string, html: string): boolean {
  const words = (plain: string) => plain.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  const ofPage = html.replace(/<(script|style|title)\b[\s\S]*?<\/\1\s*>|<[^>]*>|&#?\w+;/gi, ' ');
  return words(text.replace(/\b(?:https?|mailto):\S+/g, ' ')) > words(ofPage) * 2 + 5;
}

const quiet = (sink: ReadSink) => ({ title: () => {}, figures: (count: number) => sink.figures(count) });

async function parse(bytes: Uint8Array) {
  try {
    // A mail saved by an editor may be UTF-16; one as it was sent declares its own encodings.
    const { text, encoding } = decodeText(bytes);
    return await PostalMime.parse(/^utf-(?:16|32)/.test(encoding) ? text : withReadableHead(bytes), {
      maxNestingDepth: DEEPEST,
      maxHeadersSize: MOST_HEADER_BYTES,
      attachmentEncoding: 'arraybuffer',
    });
  } catch (error) {
    if (/header/i.test(String(error))) {
      throw new UnreadableFile(`It has headers of more than ${MOST_HEADER_BYTES / 2 ** 20} MB, the most that are read`);
    }
    if (/nest/i.test(String(error))) throw new UnreadableFile(`Its parts are nested more than ${DEEPEST} deep`);
    throw new UnreadableFile('It is broken: the mail cannot be read');
  }
}

/** Headers may hold letters as they are, in UTF-8; older programs wrote them in the encoding of their country. */
function withReadableHead(bytes: Uint8Array): Buffer {
  const mail = Buffer.from(bytes);
  const end = mail
    .subarray(0, MOST_HEADER_BYTES)
    .toString('latin1')
    .search(/\r?\n\r?\n/);
  const head = mail.subarray(0, Math.max(end, 0));
  const { text, encoding } = decodeText(head);
  return encoding === 'utf-8' ? mail : Buffer.concat([Buffer.from(text), mail.subarray(head.length)]);
}

const people = (addresses: readonly Address[] | undefined): string =>
  (addresses ?? [])
    .flatMap((one) => (one.group ? one.group : [one]))
    .map(({ name, address }) =>
      name && address && name !== address ? `${name} <${address}>` : (address ?? name ?? ''),
    )
    .join(', ');

const nameOf = ({ filename, mimeType }: Attachment, at: number): string =>
  filename || `attachment-${at + 1}.${mimeType === 'message/rfc822' ? 'eml' : (mimeType.split('/')[1] ?? 'bin')}`;

const bytesOf = ({ content }: Attachment): Uint8Array =>
  typeof content === 'string' ? Buffer.from(content, 'utf8') : new Uint8Array(content);

const sizeOf = (part: Attachment): number => bytesOf(part).byteLength;
