import { Parser } from 'htmlparser2';
import { type ReadSink, UnreadableFile } from '../../domain/document.ts';
import { DocumentWriter } from '../../domain/text/document-writer.ts';
import { shownTarget } from './office-parts.ts';

const UNSEEN = new Set(['script', 'style', 'noscript', 'template', 'svg', 'object', 'iframe', 'select', 'datalist']);
const NAVIGATION = new Set(['nav', 'menu', 'dialog']);
const NAVIGATION_ROLES = new Set(['navigation', 'search', 'menu', 'menubar', 'toolbar', 'dialog', 'alertdialog']);
const BLOCKS = new Set(
  'address article aside blockquote body caption dd details div dl dt fieldset figcaption figure footer form header hr li main nav ol p pre section summary table tbody tfoot thead tr td th ul h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);
/** Elements without an end: they cannot hide what follows them. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Closing tags are matched against all that are open, so a page nested without end would take quadratic time. */
const DEEPEST = 5_000;

export interface HtmlOptions {
  /** Continues a document of several pages, such as a book. */
  readonly writer?: DocumentWriter;
  /** Lines of the page are lines of the file; not so in a book or a mail. */
  readonly countsLines?: boolean;
  readonly withNavigation?: boolean;
}

/** Reads the text of a web page block by block, tables as tables, without scripts and navigation. */
export function readHtml(html: string, sink: ReadSink, options: HtmlOptions = {}): void {
  if (options.withNavigation || options.writer) {
    new PageReader(html, sink, options).read();
    return;
  }
  let blocks = 0;
  const counting: ReadSink = {
    text: (block) => {
      blocks++;
      sink.text(block);
    },
    sheet: (name) => sink.sheet(name),
    row: (number, cells) => sink.row(number, cells),
    table: (table) => sink.table(table),
    tables: (count) => sink.tables(count),
    figures: (count) => sink.figures(count),
    title: (text) => sink.title(text),
    unread: (pages, reason) => sink.unread(pages, reason),
  };
  new PageReader(html, counting, options).read();
  // A page that is nothing but navigation is read with it.
  if (blocks === 0) new PageReader(html, sink, { ...options, withNavigation: true }).read();
}

class PageReader {
  readonly #html: string;
  readonly #sink: ReadSink;
  readonly #options: HtmlOptions;
  readonly #writer: DocumentWriter;
  readonly #lineAt: (position: number) => number;
  readonly #links: { start: number; target: string | undefined }[] = [];
  readonly #headings: (number | undefined)[] = [];
  /** Open elements below one that is not shown; 0 when text is read. */
  #hidden = 0;
  #depth = 0;
  #text = '';
  #start = 0;
  #title: string | undefined;
  #inTitle = false;
  #preformatted = 0;
  #figures = 0;
  #headerCells = true;
  #rowIsOpen = false;

  constructor(html: string, sink: ReadSink, options: HtmlOptions) {
    this.#html = html;
    this.#sink = sink;
    this.#options = options;
    this.#writer = options.writer ?? new DocumentWriter(sink);
    this.#lineAt = options.countsLines === false ? () => 1 : lineCounter(html);
  }

  read(): void {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (data) => this.#add(data, parser.startIndex),
        onclosetag: (name) => this.#close(name),
      },
      { decodeEntities: true },
    );
    parser.end(this.#html);
    this.#flush();
    if (!this.#options.writer) this.#writer.end();
    this.#sink.title(this.#title ?? '');
    this.#sink.figures(this.#figures);
  }

  #open(name: string, attributes: Record<string, string>): void {
    if (!VOID.has(name) && ++this.#depth > DEEPEST) {
      throw new UnreadableFile(`Its elements are nested more than ${DEEPEST.toLocaleString('en-US')} deep`);
    }
    if (name === 'img' || name === 'svg' || name === 'canvas' || name === 'video') this.#figures++;
    if (this.#hidden > 0) {
      if (!VOID.has(name)) this.#hidden++;
      return;
    }
    if (this.#isHidden(name, attributes)) {
      if (!VOID.has(name)) this.#hidden = 1;
      return;
    }
    if (BLOCKS.has(name)) this.#flush();
    if (name === 'title') this.#inTitle = true;
    else if (name === 'br') this.#text += '\n';
    else if (name === 'pre') this.#preformatted++;
    else if (/^h[1-6]$/.test(name)) this.#headings.push(Number(name[1]));
    else if (name === 'li') this.#text = '• ';
    else if (name === 'a') this.#links.push({ start: this.#text.length, target: attributes.href });
    else if (name === 'img' && attributes.alt) this.#add(` ${attributes.alt} `, this.#start);
    else if (name === 'input' && /^(?:text|email|number|date|)$/.test(attributes.type ?? '') && attributes.value) {
      this.#add(` ${attributes.value} `, this.#start);
    } else if (name === 'table') this.#writer.openTable();
    else if (name === 'tr') this.#openRow();
    else if (name === 'td' || name === 'th') {
      if (name === 'td') this.#headerCells = false;
      this.#writer.openCell({ columns: Number(attributes.colspan ?? 1), rows: Number(attributes.rowspan ?? 1) });
    }
  }

  #add(data: string, position: number): void {
    if (this.#hidden > 0) return;
    if (this.#inTitle) {
      this.#title = (this.#title ?? '') + data;
      return;
    }
    if (this.#text.trim() === '') this.#start = position;
    this.#text += this.#preformatted > 0 ? data : data.replace(/\s+/g, ' ');
  }

  #close(name: string): void {
    if (VOID.has(name)) return;
    this.#depth--;
    if (this.#hidden > 0) {
      this.#hidden--;
      return;
    }
    if (name === 'caption' && this.#writer.depth > 0) {
      this.#writer.caption(this.#text);
      this.#text = '';
    }
    if (name === 'a') {
      const link = this.#links.pop();
      if (link) this.#text += shownTarget(this.#text.slice(link.start), link.target);
    }
    if (BLOCKS.has(name)) this.#flush();
    if (name === 'title') this.#inTitle = false;
    else if (name === 'pre') this.#preformatted--;
    else if (/^h[1-6]$/.test(name)) this.#headings.pop();
    else if (name === 'thead') this.#writer.headerEnds();
    else if (name === 'tr') this.#closeRow();
    else if (name === 'table') this.#writer.closeTable();
  }

  #openRow(): void {
    this.#writer.openRow();
    this.#headerCells = true;
    this.#rowIsOpen = true;
  }

  #closeRow(): void {
    if (this.#rowIsOpen && this.#headerCells) this.#writer.headerRowEnds();
    this.#rowIsOpen = false;
  }

  #flush(): void {
    const text = this.#text.replace(/^•\s*$/, '');
    this.#text = '';
    for (const link of this.#links) link.start = 0;
    if (text.trim() === '') return;
    const heading = this.#headings.at(-1);
    if (heading === 1 && !this.#options.writer) this.#sink.title(text);
    const line = this.#options.countsLines === false ? undefined : this.#lineAt(this.#start);
    this.#writer.paragraph(text, { heading, line });
  }

  #isHidden(name: string, attributes: Record<string, string>): boolean {
    if (UNSEEN.has(name)) return true;
    if ('hidden' in attributes && attributes.hidden !== 'until-found') return true;
    if (/display\s*:\s*none/i.test(attributes.style ?? '')) return true;
    if (this.#options.withNavigation || name === 'body' || name === 'html') return false;
    return NAVIGATION.has(name) || NAVIGATION_ROLES.has(attributes.role ?? '');
  }
}

/** Line of a position; positions only grow. */
function lineCounter(text: string): (position: number) => number {
  let line = 1;
  let at = 0;
  return (position) => {
    for (; at < position; at++) if (text.charCodeAt(at) === 10) line++;
    return line;
  };
}
