import WordExtractor from 'word-extractor';
import { type ReadSink, UnreadableFile } from '../../../domain/document.ts';
import { namesInCompound } from '../../../domain/formats/compound-file.ts';
import { DocumentWriter } from '../../../domain/text/document-writer.ts';

/** Reads the Word documents of Word 97 to 2003. Tables come as lines, since the library gives text alone. */
export async function readDoc(bytes: Buffer, sink: ReadSink): Promise<void> {
  const document = await new WordExtractor().extract(withUsualNames(bytes)).catch((error: unknown) => {
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

/** Some programs write the names of the streams in small letters, which the library does not look for. */
export function withUsualNames(bytes: Buffer): Buffer {
  const found = namesInCompound(bytes).own;
  const named = STREAMS.filter((name) => found.includes(name.toLowerCase()) && !found.includes(name));
  if (named.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  for (const name of named) {
    const small = Buffer.from(`${name.toLowerCase()}\0`, 'utf16le');
    // Entries of the directory stand at multiples of their length; the words of the text hardly do.
    let at = copy.indexOf(small);
    while (at >= 0 && at % ENTRY_BYTES !== 0) at = copy.indexOf(small, at + 1);
    if (at >= 0) copy.write(name, at, 'utf16le');
  }
  return copy;
}

const ENTRY_BYTES = 128;
const STREAMS = ['WordDocument', '0Table', '1Table', 'Data'];

function refusal(error: unknown): UnreadableFile {
  const words = String(error);
  if (/encrypt|password/i.test(words)) {
    return new UnreadableFile('It is encrypted with a password. Remove the password and add it again');
  }
  return new UnreadableFile('It is an old Word document (.doc) that cannot be read. Save it as .docx and add that');
}
