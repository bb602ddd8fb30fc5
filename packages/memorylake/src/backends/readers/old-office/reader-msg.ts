import msgreader, { type FieldsData } from '@kenjiuno/msgreader';
import { type ReadSink, UnreadableFile } from '../../../domain/document.ts';
import { decodeHtml } from '../../../domain/formats/encoding.ts';
import { guessLegacyEncoding } from '../../../domain/formats/legacy-encoding.ts';
import { DocumentWriter } from '../../../domain/text/document-writer.ts';
import { writeMailHead } from '../../../domain/text/mail.ts';
import type { FilePart } from '../../interface.ts';
import { writeMailText } from '../reader-eml.ts';
import { codePageOfLocale } from './code-page-of-locale.ts';

/** The package is CommonJS: its class is the default of its default, unless a loader has taken off the outer one. */
const MsgReader = msgreader.default ?? (msgreader as unknown as typeof msgreader.default);

/** Reads a mail that Outlook saved. */
export function readMsg(bytes: Uint8Array, sink: ReadSink): void {
  const { mail } = open(bytes);
  const writer = new DocumentWriter(sink);
  const recipients = (type: string) =>
    (mail.recipients ?? [])
      .filter(({ recipType }) => (recipType ?? 'to') === type)
      .map(({ name, email, smtpAddress }) => person(name, smtpAddress ?? email))
      .join(', ');
  writeMailHead(
    {
      subject: mail.subject ?? '',
      from: person(mail.senderName, mail.senderSmtpAddress ?? mail.senderEmail),
      to: recipients('to'),
      cc: recipients('cc'),
      date: mail.messageDeliveryTime ?? mail.clientSubmitTime ?? '',
      attachments: (mail.attachments ?? []).map((file, at) => ({
        name: nameOf(file, at),
        sizeBytes: file.contentLength ?? 0,
      })),
    },
    sink,
    writer,
  );
  const html = mail.bodyHtml ?? (mail.html ? decodeHtml(mail.html) : undefined);
  writeMailText({ html, text: mail.body }, sink, writer);
}

/** What is attached to a mail of Outlook; pictures that stand in its text are part of that. */
export function attachmentsOfMsg(bytes: Uint8Array): FilePart[] {
  const { mail, reader } = open(bytes);
  return (mail.attachments ?? []).flatMap((file, at) => {
    if (file.attachmentHidden) return [];
    const { content } = reader.getAttachment(file);
    const name = nameOf(file, at);
    return [{ name: file.innerMsgContent && !/\.msg$/i.test(name) ? `${name}.msg` : name, bytes: content }];
  });
}

function open(bytes: Uint8Array): { mail: FieldsData; reader: InstanceType<typeof MsgReader> } {
  try {
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    let reader = new MsgReader(buffer);
    let mail = reader.getFileData();
    const encoding = encodingOf(mail);
    if (encoding !== undefined) {
      reader = new MsgReader(buffer);
      reader.parserConfig = { ansiEncoding: encoding };
      mail = reader.getFileData();
    }
    if (mail.error === undefined) return { mail, reader };
  } catch {
    // A directory that leads out of the file.
  }
  throw new UnreadableFile('It is broken: the Outlook mail cannot be read');
}

/** Outlook before 2003 kept text in the code page of its system: that of the mail, or of its language, before the one it was sent in. */
function encodingOf(mail: FieldsData): string | undefined {
  const page = mail.messageCodepage ?? codePageOfLocale(mail.messageLocaleId) ?? mail.internetCodepage;
  if (page !== undefined && CODE_PAGES.has(page)) return `cp${page}`;
  return page === WESTERN ? undefined : guessed(mail);
}

const WESTERN = 1252;
const CODE_PAGES = new Set([874, 932, 936, 949, 950, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258]);

// The library reads such text byte by byte, so its characters are its bytes.
function guessed({ subject = '', body = '' }: FieldsData): string | undefined {
  const text = `${subject}\n${body}`;
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return undefined;
  const encoding = guessLegacyEncoding(Buffer.from(text, 'latin1'));
  return encoding === 'windows-1252' ? undefined : encoding;
}

const nameOf = (file: FieldsData, at: number): string =>
  file.fileName ?? file.fileNameShort ?? file.name ?? `attachment-${at + 1}${file.innerMsgContent ? '.msg' : ''}`;

function person(name: string | undefined, address: string | undefined): string {
  if (name && address && name !== address) return `${name} <${address}>`;
  return address ?? name ?? '';
}
