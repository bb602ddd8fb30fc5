import { Parser } from 'htmlparser2';
import type { ReadSink } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { tagsOf } from '../../domain/text/xml-text.ts';
import type { ZipFile } from '../zip.ts';
import { attribute, linksOf, localName } from './office-parts.ts';

/** A comment on a cell. */
export interface CellNote {
  readonly ref: string;
  readonly author: string;
  readonly text: string;
}

/** Writes what people noted on the cells of a sheet, and what stands in boxes on it. */
export class NoteWriter {
  readonly #writer: DocumentWriter;

  constructor(sink: ReadSink) {
    this.#writer = new DocumentWriter(sink);
  }

  notes(sheet: string, notes: readonly CellNote[]): void {
    this.#writer.place = { part: `comments of ${sheet}` };
    for (const { ref, author, text } of notes) {
      const words = text.trim();
      // Excel writes the author into the text too.
      const own = author !== '' && words.startsWith(`${author}:`) ? words.slice(author.length + 1).trim() : words;
      if (own !== '') this.#writer.paragraph(`${[ref, author].filter((part) => part !== '').join(', ')}: ${own}`);
    }
  }

  boxes(sheet: string, texts: readonly string[]): void {
    this.#writer.place = { part: `text boxes of ${sheet}` };
    for (const text of texts) this.#writer.paragraph(text);
  }
}

/** Writes the comments and text boxes that a sheet of an .xlsx file refers to. */
export function writeNotesOf(zip: ZipFile, part: string, sheet: string, writer: NoteWriter): void {
  const links = [...linksOf(zip, part).values()];
  const partsOf = (type: string) => links.flatMap((link) => (link.type === type ? (zip.text(link.target) ?? []) : []));
  const threads = partsOf('threadedComment');
  const people = threads.length > 0 ? peopleOf(zip) : new Map<string, string>();
  const notes = partsOf('comments').flatMap((xml) => notesIn(xml, people));
  // Older programs are given a thread as one comment that begins with a note on that.
  const isThread = ({ author }: CellNote) => author.startsWith('tc={');
  const talk = threads.flatMap((xml) => notesIn(xml, people));
  writer.notes(sheet, talk.length > 0 ? [...notes.filter((note) => !isThread(note)), ...talk] : notes);
  writer.boxes(sheet, partsOf('drawing').flatMap(boxesIn));
}

const peopleOf = (zip: ZipFile): Map<string, string> =>
  new Map(
    zip.names
      .filter((name) => /^xl\/persons\/[^/]+\.xml$/.test(name))
      .flatMap((name) => tagsOf(zip.text(name) ?? '', 'person'))
      .flatMap(({ id, displayName }) => (id && displayName ? [[id, displayName] as const] : [])),
  );

function notesIn(xml: string, people: ReadonlyMap<string, string>): CellNote[] {
  const notes: CellNote[] = [];
  const authors: string[] = [];
  let note: { ref: string; author: string } | undefined;
  let text = '';
  let takes = false;
  let inSound = false;
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (name === 'author') text = '';
        else if (name === 'comment' || name === 'threadedComment') {
          const author = authors[Number(attributes.authorId)] ?? people.get(attributes.personId ?? '') ?? '';
          note = { ref: attributes.ref ?? '', author };
          text = '';
        }
        // What characters sound like is not part of the words.
        if (name === 'rPh') inSound = true;
        takes = !inSound && (name === 't' || name === 'author' || (name === 'text' && note !== undefined));
      },
      ontext(data) {
        if (takes) text += data;
      },
      onclosetag(qualified) {
        const name = localName(qualified);
        takes = false;
        if (name === 'rPh') inSound = false;
        else if (name === 'author') authors.push(text);
        else if (note && (name === 'comment' || name === 'threadedComment')) {
          notes.push({ ...note, text });
          note = undefined;
        }
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return notes;
}

/** The paragraphs of the text boxes and shapes of a drawing. */
function boxesIn(xml: string): string[] {
  const texts: string[] = [];
  let text = '';
  let inText = false;
  let fallback = 0;
  const parser = new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (name === 'Fallback') fallback++;
        else if (name === 't' && fallback === 0) inText = true;
        else if (name === 'br') text += '\n';
        else if (name === 'cNvPr' && fallback === 0) {
          const words = attribute(attributes, 'descr') ?? '';
          if (/\S\s+\S/.test(words)) texts.push(words);
        }
      },
      ontext(data) {
        if (inText) text += data;
      },
      onclosetag(qualified) {
        const name = localName(qualified);
        if (name === 'Fallback') fallback--;
        else if (name === 't') inText = false;
        else if (name === 'p') {
          texts.push(text);
          text = '';
        }
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return texts;
}
