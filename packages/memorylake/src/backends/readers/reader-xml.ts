import { Parser } from 'htmlparser2';
import { type ReadSink, UnreadableFile } from '../../domain/document.ts';

const WITHOUT_TEXT = new Set(['style', 'script', 'path', 'polygon', 'polyline', 'binary', 'font-face']);
const DEEPEST = 1_000;
const TITLES = new Set(['title', 'name', 'heading']);

interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: string;
  text: string;
  /** Lines of the elements inside, each `name: text`. */
  readonly fields: string[];
  isMixed: boolean;
}

/** Reads XML of any kind: the text of its elements, each under its name, together with those beside it. */
export function readXml(xml: string, sink: ReadSink): void {
  const open: Element[] = [];
  let drawings = 0;
  const lineAt = lineCounter(xml);
  let titled = false;
  const close = (element: Element) => {
    const text = element.text.replace(/\s+/g, ' ').trim();
    const parent = open.at(-1);
    if (text !== '' && !titled && TITLES.has(element.name) && open.length <= 2) {
      titled = true;
      sink.title(text);
    }
    if (element.fields.length > 0 && !element.isMixed) {
      if (element.attributes !== '') element.fields.unshift(element.attributes);
      sink.text({ text: element.fields.join('\n'), line: element.line });
    } else if (text !== '' || element.attributes !== '') {
      if (parent?.isMixed) parent.text += ` ${text} `;
      else
        parent?.fields.push(
          [element.name, element.attributes && `(${element.attributes})`].filter(Boolean).join(' ') +
            (text && `: ${text}`),
        );
      if (!parent) sink.text({ text: text || element.attributes, line: element.line });
    }
  };
  const parser: Parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.replace(/^.*:/, '');
        const parent = open.at(-1);
        // Text beside elements is running text: what is inside belongs into it.
        if (parent && parent.text.trim() !== '') parent.isMixed = true;
        const shown = Object.entries(attributes).filter(([key, value]) => !/^xmlns|:/.test(key) && value.length < 200);
        if (open.length >= DEEPEST) throw new UnreadableFile(`Its elements are nested more than ${DEEPEST} deep`);
        if (name === 'svg') drawings++;
        open.push({
          name,
          line: lineAt(parser.startIndex),
          attributes:
            drawings > 0 || WITHOUT_TEXT.has(name) ? '' : shown.map(([key, value]) => `${key}: ${value}`).join(', '),
          text: '',
          fields: [],
          isMixed: parent?.isMixed ?? false,
        });
      },
      ontext(text) {
        const element = open.at(-1);
        if (!element || WITHOUT_TEXT.has(element.name)) return;
        if (text.trim() !== '' && element.fields.length > 0 && !element.isMixed) {
          element.isMixed = true;
          element.text = `${element.fields.map((field) => field.replace(/^[^:]*: /, '')).join(' ')} `;
          element.fields.length = 0;
        }
        element.text += text;
      },
      onclosetag() {
        const element = open.pop();
        if (element?.name === 'svg') drawings--;
        if (element) close(element);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
}

/** The line of a position; positions are asked for in rising order. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let from = 0;
  return (to) => {
    for (let next = text.indexOf('\n', from); next >= 0 && next < to; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    return line;
  };
}
