import { Parser } from 'htmlparser2';
import type { DocumentWriter } from '../../domain/text/document-writer.ts';
import { EquationText } from '../../domain/text/equation-text.ts';
import type { ListNumbers } from '../../domain/text/list-numbers.ts';
import { attribute, localName, type PartLink, shownTarget } from './office-parts.ts';

/** What a paragraph takes from its style. */
export interface WordStyle {
  readonly heading?: number | undefined;
  readonly list?: { readonly id: string; readonly level: number } | undefined;
}

export interface WordParts {
  readonly styles: ReadonlyMap<string, WordStyle>;
  readonly numbers: ListNumbers;
  readonly links: ReadonlyMap<string, PartLink>;
  readonly onFigure: () => void;
}

interface OpenParagraph {
  text: string;
  heading: number | undefined;
  list: { id: string; level: number } | undefined;
}

/** Elements whose text is not part of the document: what was deleted or moved away, and the second form of a drawing. */
const SKIPPED = new Set([
  'del',
  'moveFrom',
  'Fallback',
  'instrText',
  'delText',
  'delInstrText',
  'fldData',
  'sectPrChange',
]);

/** Walks the markup of a Word part and writes its paragraphs and tables; tracked changes count as accepted. */
export function wordWalker(writer: DocumentWriter, parts: WordParts): Parser {
  const paragraphs: OpenParagraph[] = [];
  const links: { start: number; target: string | undefined }[] = [];
  const equation = new EquationText();
  let equations = 0;
  let skipped = 0;
  let inText = false;
  let field = '';
  let inField = false;

  const current = () => paragraphs.at(-1);
  const write = (text: string) => {
    const paragraph = current();
    if (skipped > 0) return;
    if (equations > 0) equation.write(text);
    else if (paragraph) paragraph.text += text;
  };
  const endParagraph = () => {
    const paragraph = paragraphs.pop();
    if (!paragraph) return;
    const empty = paragraph.text.trim() === '';
    const number = paragraph.list && !empty ? parts.numbers.next(paragraph.list.id, paragraph.list.level) : '';
    writer.paragraph(number === '' ? paragraph.text : `${number} ${paragraph.text}`, { heading: paragraph.heading });
  };

  return new Parser(
    {
      onopentag(qualified, attributes) {
        const name = localName(qualified);
        if (SKIPPED.has(name) && !(name === 'del' && qualified.startsWith('m:'))) {
          if (name === 'instrText') inField = skipped === 0;
          skipped++;
          return;
        }
        if (skipped > 0) return;
        if (equations > 0 && qualified.startsWith('m:')) equation.openTag(name, attribute(attributes, 'val'));
        const value = () => attribute(attributes, 'val');
        switch (name) {
          case 'p':
            if (qualified.startsWith('a:')) write(' ');
            else paragraphs.push({ text: '', heading: undefined, list: undefined });
            break;
          case 't':
            inText = true;
            break;
          case 'oMath':
            equations++;
            break;
          case 'tab':
            write('\t');
            break;
          case 'br':
          case 'cr':
            write('\n');
            break;
          case 'noBreakHyphen':
            write('-');
            break;
          case 'sym':
            write(symbol(attribute(attributes, 'char')));
            break;
          case 'pStyle': {
            const style = parts.styles.get(value() ?? '');
            const paragraph = current();
            if (paragraph) Object.assign(paragraph, { heading: style?.heading, list: style?.list });
            break;
          }
          case 'outlineLvl': {
            const paragraph = current();
            const level = Number(value());
            if (paragraph && level >= 0 && level < 6) paragraph.heading ??= level + 1;
            break;
          }
          case 'ilvl':
            setList(current(), { level: Number(value()) });
            break;
          case 'numId':
            setList(current(), { id: value() ?? '0' });
            break;
          case 'hyperlink': {
            const id = attribute(attributes, 'id');
            const link = id === undefined ? undefined : parts.links.get(id);
            links.push({ start: current()?.text.length ?? 0, target: link?.isExternal ? link.target : undefined });
            break;
          }
          case 'fldChar':
            fieldMark(attribute(attributes, 'fldCharType'));
            break;
          case 'tbl':
            writer.openTable();
            break;
          case 'tr':
            writer.openRow();
            break;
          case 'tblHeader':
            if (value() !== '0' && value() !== 'false') writer.headerEnds();
            break;
          case 'tc':
            writer.openCell();
            break;
          case 'gridSpan':
            writer.widenCell(Number(value()));
            break;
          case 'vMerge':
            if ((value() ?? 'continue') === 'continue') writer.continueAbove();
            break;
          case 'docPr': {
            const words = attribute(attributes, 'descr') ?? '';
            if (/\S\s+\S/.test(words)) write(` ${words} `);
            break;
          }
          case 'drawing':
          case 'pict':
            parts.onFigure();
            break;
        }
      },
      ontext(data) {
        if (inField) field += data;
        else if (inText) write(data);
      },
      onclosetag(qualified) {
        const name = localName(qualified);
        if (SKIPPED.has(name) && !(name === 'del' && qualified.startsWith('m:'))) {
          skipped = Math.max(0, skipped - 1);
          if (name === 'instrText') inField = false;
          return;
        }
        if (skipped > 0) return;
        if (equations > 0 && qualified.startsWith('m:') && name !== 'oMath') equation.closeTag();
        if (name === 't') inText = false;
        else if (name === 'p' && !qualified.startsWith('a:')) endParagraph();
        else if (name === 'oMath') {
          equations = Math.max(0, equations - 1);
          if (equations === 0) write(` ${equation.take()} `);
        } else if (name === 'hyperlink') endLink(links.pop());
        else if (name === 'tbl') writer.closeTable();
      },
    },
    { xmlMode: true },
  );

  function endLink(link: { start: number; target: string | undefined } | undefined): void {
    const paragraph = current();
    if (paragraph && link) paragraph.text += shownTarget(paragraph.text.slice(link.start), link.target);
  }

  // The address of a link that was typed as a field stands in its instruction.
  function fieldMark(type: string | undefined): void {
    if (type === 'begin') field = '';
    else if (type === 'separate') {
      const target = /^\s*HYPERLINK\s+"([^"]+)"/.exec(field)?.[1];
      links.push({ start: current()?.text.length ?? 0, target });
      field = '';
    } else if (type === 'end') endLink(links.pop());
  }
}

function setList(paragraph: OpenParagraph | undefined, list: { id?: string; level?: number }): void {
  if (!paragraph) return;
  const own = { id: '0', level: 0, ...paragraph.list, ...list };
  paragraph.list = own;
}

/** Symbol fonts keep their signs in a private area; those of plain fonts are ordinary characters. */
function symbol(code: string | undefined): string {
  const value = Number.parseInt(code ?? '', 16);
  return Number.isNaN(value) || (value >= 0xe000 && value <= 0xf8ff) ? '' : String.fromCharCode(value);
}
