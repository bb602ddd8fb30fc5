import { expect, test } from 'vitest';
import { compoundOf } from '../make-files.ts';
import { readHere, refusal } from './read-here.ts';

/** A record: a container when its content is a list of others. */
function record(type: number, content: Buffer | readonly Buffer[], instance = 0): Buffer {
  const isList = !Buffer.isBuffer(content);
  const body = isList ? Buffer.concat(content) : content;
  const head = Buffer.alloc(8);
  head.writeUInt16LE((instance << 4) | (isList ? 15 : 0), 0);
  head.writeUInt16LE(type, 2);
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

const numbers = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);
const header = (kind: number) => record(3999, numbers(kind));
const wide = (text: string) => record(4000, Buffer.from(text, 'utf16le'));
const narrow = (text: string) => record(4008, Buffer.from(text, 'latin1'));
const box = (...inside: Buffer[]) => record(61444, [record(61453, inside)]);
const text = (kind: number, words: string) => box(header(kind), wide(words));
const drawing = (...shapes: Buffer[]) => record(1036, [record(61442, [record(61443, [record(61444, []), ...shapes])])]);
const slide = (notesId: number, ...shapes: Buffer[]) =>
  record(1006, [record(1007, numbers(0, 0, 0, 0, notesId, 0)), drawing(...shapes)]);
const cell = (words: string, ...edges: [number, number, number, number]) =>
  record(61444, [record(61455, numbers(...edges)), record(61453, [header(4), wide(words)])]);
const tableMark = record(61730, Buffer.concat([Buffer.from([0x9f, 0x03]), numbers(1)]), 1);

const entry = (persistId: number, slideId: number) => record(1011, numbers(persistId, 0, 0, slideId, 0));

/** A presentation of objects by their number, as the last of its edits has them; 1 is the document. */
function ppt(edits: readonly (readonly (readonly [id: number, object: Buffer])[])[], token = 0xe391c05f): Buffer {
  let file = Buffer.alloc(0);
  let last = 0;
  for (const objects of edits) {
    const directory: Buffer[] = [];
    for (const [id, object] of objects) {
      directory.push(numbers((1 << 20) | id, file.length));
      file = Buffer.concat([file, object]);
    }
    const at = file.length;
    file = Buffer.concat([file, record(6002, Buffer.concat(directory))]);
    const edit = record(4085, numbers(0, 0, last, at, 1, 9, 0));
    last = file.length;
    file = Buffer.concat([file, edit]);
  }
  const user = Buffer.alloc(28);
  user.writeUInt32LE(20, 8);
  user.writeUInt32LE(token, 12);
  user.writeUInt32LE(last, 16);
  return compoundOf({ 'PowerPoint Document': file, 'Current User': user });
}

const slideList = (...inside: Buffer[]) => record(4080, inside, 0);
const noteList = (...inside: Buffer[]) => record(4080, inside, 2);

test('a presentation of PowerPoint 97 is read slide by slide, as its last edit has it', async () => {
  const document = record(1000, [
    slideList(
      entry(3, 256),
      header(0),
      wide('Tides\vin May'),
      header(1),
      narrow('High water\rLow water'),
      entry(2, 257),
    ),
    noteList(entry(4, 700)),
  ]);
  const outlined = slide(
    700,
    text(4, '*'),
    box(record(3998, numbers(1))),
    text(4, 'beside'),
    box(record(3998, numbers(0))),
  );
  const table = record(61443, [
    record(61444, [tableMark]),
    cell('level', 0, 0, 200, 10),
    cell('north', 0, 10, 100, 20),
    cell('2.5', 100, 10, 200, 20),
    cell('south', 0, 20, 100, 30),
    cell('3.5', 100, 20, 200, 30),
  ]);
  const comment = record(12000, [
    record(4026, Buffer.from('Ada', 'utf16le'), 0),
    record(4026, Buffer.from('Check this', 'utf16le'), 1),
  ]);
  const commented = record(1006, [drawing(table), record(5000, [record(5002, [record(5003, comment)])])]);
  const notes = record(1008, [drawing(text(2, 'Speak slowly'), text(4, 'Notes header'))]);
  const content = ppt([
    [
      [1, document],
      [2, slide(0, text(4, 'an old draft'))],
      [3, outlined],
    ],
    [
      [2, commented],
      [4, notes],
    ],
  ]);
  const { format, title, blocks, tables } = await readHere('talk.ppt', content);
  expect([format, title]).toEqual(['ppt', 'Tides\vin May']);
  expect(blocks.map(({ slide: at, part, heading, text: words }) => [at, part ?? heading, words])).toEqual([
    [1, 1, 'Tides in May'],
    [1, undefined, 'High water'],
    [1, undefined, 'Low water'],
    [1, undefined, 'beside'],
    [1, 'speaker notes', 'Speak slowly'],
    [2, undefined, 'level'],
    [2, undefined, 'north | 2.5'],
    [2, undefined, 'south | 3.5'],
    [2, 'comments', 'Ada:'],
    [2, 'comments', 'Check this'],
  ]);
  expect(tables.map((one) => [one.slide, one.rows.map(({ cells }) => cells)])).toEqual([
    [
      2,
      [
        ['north', '2.5'],
        ['south', '3.5'],
      ],
    ],
  ]);
});

test('slides are found without the directory of a presentation', async () => {
  const file = Buffer.concat([record(1006, [drawing(text(0, 'First'))]), record(1006, [drawing(text(1, 'Second'))])]);
  const { blocks } = await readHere('talk.ppt', compoundOf({ 'PowerPoint Document': file }));
  expect(blocks.map(({ slide: at, text: words }) => [at, words])).toEqual([
    [1, 'First'],
    [2, 'Second'],
  ]);
});

test('groups in groups without end, records that lead out of the file and edits in a circle end', async () => {
  let deep = text(1, 'deep');
  for (let at = 0; at < 2_000; at++) deep = record(61443, [deep]);
  expect(
    await refusal(
      'deep.ppt',
      ppt([
        [
          [1, record(1000, [slideList(entry(2, 256))])],
          [2, slide(0, deep)],
        ],
      ]),
    ),
  ).toBe('read as ppt');
  const circle = Buffer.concat([Buffer.alloc(8), record(4085, numbers(0, 0, 8, 8, 1, 9, 0))]);
  const user = Buffer.concat([numbers(0, 0, 20, 0xe391c05f | 0, 8), Buffer.alloc(8)]);
  expect(await refusal('circle.ppt', compoundOf({ 'PowerPoint Document': circle, 'Current User': user }))).toBe(
    'read as ppt',
  );
});

test('a presentation with a password is refused as such, and one inside a Word document is not taken for it', async () => {
  expect(await refusal('secret.ppt', ppt([[[1, record(1000, [])]]], 0xf3d1c4df))).toContain(
    'encrypted with a password',
  );
  const both = compoundOf({ WordDocument: 'x', 'ObjectPool/_1/PowerPoint Document': 'y' });
  expect(await refusal('letter.doc', both)).toContain('an old Word document');
});
