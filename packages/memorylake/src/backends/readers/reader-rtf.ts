import type { ReadSink } from '../../domain/document.ts';
import { type Decoder, decoderOfCodePage } from '../../domain/formats/encoding.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { type RtfToken, rtfTokens } from '../../domain/text/rtf-tokens.ts';
import { shownTarget } from './office-parts.ts';

/** Where characters go: into the text, nowhere, or into something that is looked at when its group ends. */
type Target = 'text' | 'skip' | 'fonts' | 'styles' | 'title' | 'instruction';

/** What a group of braces changes and its end takes back. */
interface Group {
  target: Target;
  part: string | undefined;
  decoder: Decoder;
  charactersAfterUnicode: number;
  link: { start: number; target: string } | undefined;
}

const SKIPPED = new Set(
  'colortbl pict object themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl filetbl revtbl author operator company manager category keywords doccomm creatim revtim printim comment subject atnid atnauthor background sp panose fldtype listtext pntext leveltext levelnumbers listname'.split(
    ' ',
  ),
);
const PARTS: ReadonlyMap<string, string> = new Map([
  ...['header', 'headerl', 'headerr', 'headerf'].map((word) => [word, 'header'] as const),
  ...['footer', 'footerl', 'footerr', 'footerf'].map((word) => [word, 'footer'] as const),
  ['footnote', 'footnotes'],
  ['annotation', 'comments'],
]);
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['emdash', '—'],
  ['endash', '–'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['bullet', '•'],
]);
/** Windows code pages of the character sets that fonts name. */
const CHARSETS: ReadonlyMap<number, number> = new Map([
  [0, 1252],
  [77, 10000],
  [128, 932],
  [129, 949],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
]);
const DEEPEST = 5_000;

/** Reads rich text: paragraphs, tables, notes, headers and links; pictures and settings are left out. */
export function readRtf(bytes: Uint8Array, sink: ReadSink): void {
  const reader = new RtfReader(sink);
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  for (const token of rtfTokens(rtf)) reader.take(token);
  reader.end();
}

class RtfReader {
  readonly #sink: ReadSink;
  readonly #writer: DocumentWriter;
  readonly #groups: Group[] = [];
  readonly #fonts = new Map<number, Decoder>();
  readonly #headings = new Map<number, number>();
  #group: Group = {
    target: 'text',
    part: undefined,
    decoder: decoderOfCodePage(1252),
    charactersAfterUnicode: 1,
    link: undefined,
  };
  /** Paragraphs that are open: that of the body, and that of a note inside it. */
  readonly #texts = new Map<string | undefined, string>();
  #bytes: number[] = [];
  #unseen = 0;
  #font = 0;
  #style = 0;
  #named = '';
  #heading: number | undefined;
  #inTable = false;
  #cells: string[] = [];
  #title = '';
  #ignoredGroups = 0;

  constructor(sink: ReadSink) {
    this.#sink = sink;
    this.#writer = new DocumentWriter(sink);
  }

  take(token: RtfToken): void {
    if (token.kind === 'byte') {
      if (this.#unseen > 0) this.#unseen--;
      else this.#bytes.push(token.byte);
      return;
    }
    this.#endBytes();
    if (token.kind === 'open') this.#open();
    else if (token.kind === 'close') this.#close();
    else if (token.kind === 'word') this.#word(token.word, token.value, token.isOptional);
    else if (token.kind === 'text') {
      const seen = token.text.slice(this.#unseen);
      this.#unseen = Math.max(0, this.#unseen - token.text.length);
      this.#write(/[\u0080-\u00ff]/.test(seen) ? this.#group.decoder.decode(Buffer.from(seen, 'latin1')) : seen);
    }
  }

  end(): void {
    this.#endBytes();
    for (const part of [...this.#texts.keys()]) this.#endParagraph(part);
    this.#endTable();
    this.#sink.title(this.#title);
  }

  #endBytes(): void {
    if (this.#bytes.length === 0) return;
    const text = this.#group.decoder.decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
    this.#write(text);
  }

  #write(text: string): void {
    const { target, part } = this.#group;
    if (target === 'text') this.#texts.set(part, (this.#texts.get(part) ?? '') + text);
    else if (target === 'title') this.#title += text;
    else if (target === 'styles' || target === 'instruction') this.#named += text;
  }

  #open(): void {
    if (this.#groups.length >= DEEPEST) {
      this.#ignoredGroups++;
      return;
    }
    this.#groups.push({ ...this.#group, link: undefined });
    this.#unseen = 0;
  }

  #close(): void {
    if (this.#ignoredGroups > 0) {
      this.#ignoredGroups--;
      return;
    }
    const closed = this.#group;
    const outer = this.#groups.pop();
    if (!outer) return;
    const { link } = closed;
    if (link) this.#write(shownTarget((this.#texts.get(closed.part) ?? '').slice(link.start), link.target));
    if (closed.target === 'styles') this.#endStyle();
    if (closed.part !== outer.part) this.#endParagraph(closed.part);
    this.#group = outer;
    this.#unseen = 0;
    if (closed.target === 'instruction' && outer.target !== 'instruction') {
      const target = /HYPERLINK\s+"([^"]+)"/.exec(this.#named)?.[1];
      this.#named = '';
      if (target !== undefined) outer.link = { start: (this.#texts.get(outer.part) ?? '').length, target };
    }
  }

  #word(word: string, value: number | undefined, isOptional: boolean): void {
    const group = this.#group;
    const sign = SIGNS.get(word);
    const part = PARTS.get(word);
    if (sign !== undefined) this.#write(sign);
    else if (word === 'u') this.#unicode(value ?? 0);
    else if (word === 'uc') group.charactersAfterUnicode = Math.min(10, Math.max(0, value ?? 1));
    else if (word === 'par' || word === 'sect' || word === 'page') this.#endParagraph(group.part);
    else if (word === 'pard') this.#startParagraph();
    else if (word === 'intbl') this.#inTable = true;
    else if (word === 'cell' || word === 'nestcell') this.#endCell();
    else if (word === 'row' || word === 'nestrow') this.#endRow();
    else if (word === 'outlinelevel' && group.target === 'text') this.#setHeading((value ?? 9) + 1);
    else if (word === 's') this.#setStyle(value ?? 0);
    else if (word === 'ansicpg') group.decoder = decoderOfCodePage(value ?? 1252);
    else if (word === 'mac') group.decoder = decoderOfCodePage(10000);
    else if (word === 'f') this.#setFont(value ?? 0);
    else if (word === 'fcharset') this.#setCharset(value ?? 0);
    else if (word === 'v') group.target = value === 0 ? 'text' : 'skip';
    else if (word === 'deleted' && value !== 0) group.target = 'skip';
    else if (word === 'fonttbl') group.target = 'fonts';
    else if (word === 'stylesheet') group.target = 'styles';
    else if (word === 'info') group.target = 'skip';
    else if (word === 'title') group.target = 'title';
    else if (word === 'fldinst') {
      group.target = 'instruction';
      this.#named = '';
    } else if (word === 'shptxt' || word === 'fldrslt')
      group.target = group.target === 'skip' && word === 'fldrslt' ? 'skip' : 'text';
    else if (part !== undefined && group.target === 'text') group.part = part;
    else if (word === 'pict') this.#sink.figures(1);
    if (SKIPPED.has(word)) group.target = 'skip';
    else if (isOptional && word !== 'fldinst' && word !== 'shptxt' && part === undefined && word !== 'shpinst')
      group.target = 'skip';
  }

  #unicode(value: number): void {
    this.#write(String.fromCharCode(value & 0xffff));
    this.#unseen = this.#group.charactersAfterUnicode;
  }

  #setFont(font: number): void {
    this.#font = font;
    if (this.#group.target === 'text') this.#group.decoder = this.#fonts.get(font) ?? this.#group.decoder;
  }

  #setCharset(charset: number): void {
    const page = CHARSETS.get(charset);
    if (this.#group.target === 'fonts' && page !== undefined) this.#fonts.set(this.#font, decoderOfCodePage(page));
  }

  #setStyle(style: number): void {
    this.#style = style;
    if (this.#group.target === 'text') this.#heading = this.#headings.get(style);
  }

  #endStyle(): void {
    const depth = /^\s*(?:heading|überschrift|titre)\s*([1-6])\s*;/i.exec(this.#named)?.[1];
    if (depth !== undefined) this.#headings.set(this.#style, Number(depth));
    this.#named = '';
    this.#style = 0;
  }

  #setHeading(depth: number): void {
    if (depth >= 1 && depth <= 6) this.#heading = depth;
  }

  #startParagraph(): void {
    if (this.#group.target !== 'text') return;
    this.#heading = undefined;
    this.#inTable = false;
  }

  #endParagraph(part: string | undefined): void {
    const text = this.#texts.get(part) ?? '';
    this.#texts.delete(part);
    if (this.#inTable && part === undefined) {
      if (text !== '') this.#texts.set(part, `${text}\n`);
      return;
    }
    if (text.trim() === '') return;
    if (part === undefined) this.#endTable();
    const heading = this.#heading;
    this.#writer.place = part === undefined ? {} : { part };
    this.#writer.paragraph(text, part === undefined ? { heading } : {});
    this.#writer.place = {};
  }

  #endCell(): void {
    this.#cells.push(this.#texts.get(this.#group.part) ?? '');
    this.#texts.delete(this.#group.part);
  }

  #endRow(): void {
    if (this.#writer.depth === 0) this.#writer.openTable();
    this.#writer.openRow();
    for (const cell of this.#cells) {
      this.#writer.openCell();
      this.#writer.paragraph(cell);
    }
    this.#cells = [];
  }

  #endTable(): void {
    if (this.#cells.length > 0) this.#endRow();
    this.#writer.end();
  }
}
