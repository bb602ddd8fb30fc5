import type { ReadSink } from '../document.ts';
import type { DocumentWriter } from './document-writer.ts';

interface MailHead {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cc: string;
  readonly date: string;
  readonly attachments: readonly { readonly name: string; readonly sizeBytes: number }[];
}

/** Writes who wrote what to whom and when, and what was attached. */
export function writeMailHead(head: MailHead, sink: ReadSink, writer: DocumentWriter, above = ''): void {
  sink.title(head.subject);
  writer.place = { part: `${above}headers` };
  if (head.subject !== '') writer.paragraph(head.subject, { heading: 1 });
  const lines: [string, string][] = [
    ['From', head.from],
    ['To', head.to],
    ['Cc', head.cc],
    ['Date', head.date],
  ];
  writer.paragraph(
    lines
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  );
  for (const { name, sizeBytes } of head.attachments) writer.paragraph(`Attachment: ${name} (${sizeOf(sizeBytes)})`);
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1_000)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;
