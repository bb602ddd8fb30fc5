import WordExtractor from 'word-extractor';
import { type ReadSink, UnreadableFile } from '../../../domain/document.ts';
import { DocumentWriter } from '../../../domain/text/document-writer.ts';

/** Reads the Word documents of Word 97 to 2003. Tables come as lines, since the library gives text alone. */
export async function readDoc(bytes: Buffer, sink: ReadSink): Promise<void> {
  const document = await new WordExtractor().extract(bytes).catch((error: unknown) => {
    throw refusal(error);
  });
  const writer = new DocumentWriter(sink);
  const write = (text: string, part?: string) => {
    writer.place = part === undefined ? {} : { part };
    for (const paragraph of text.split(/[\r\n\f]+/)) writer.paragraph(paragraph.replace(/(?!\t)\p{Cc}/gu, ' '));
  };
  write(document.getBody());
  write(document.getTextboxes({ includeHeadersAndFooters: false, includeBody: true }), 'text boxes');
  write(document.getHeaders({ includeFooters: false }), 'header');
  write(document.getFooters(), 'footer');
  write(document.getFootnotes(), 'footnotes');
  write(document.getEndnotes(), 'endnotes');
  write(document.getAnnotations(), 'comments');
}

function refusal(error: unknown): UnreadableFile {
  const words = String(error);
  if (/encrypt|password/i.test(words)) {
    return new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  }
  return new UnreadableFile('It is an old Word document (.doc) that cannot be read. Save it as .docx and add that');
}
