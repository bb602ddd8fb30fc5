import { expect, test } from 'vitest';
import { PackedList } from '../../src/numbers/packed-list.ts';
import { readPacked } from '../../src/numbers/read-packed.ts';

const app = { packedArguments: (tool: string) => (tool === 'upload' ? ['data', 'more'] : []) };
/** Long enough to be packed. */
const LONG = `[${'[1.5,-2,3e2],'.repeat(100_000)}[4,5,6]]`;

const call = (args: string, name = 'upload') =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

function read(text: string) {
  return readPacked(Buffer.from(text), app) as { params: { arguments: Record<string, unknown> } } | undefined;
}

test('a long list of numbers comes packed, and all else as it was', () => {
  const name = 'a "quoted", [bracketed]: name \\\\ with ü and 湖';
  const message = read(call(`{"name":${JSON.stringify(name)},"data": ${LONG} ,"tags":["x",[1,2]],"n":{"data":[1]}}`));
  const { data, ...rest } = message!.params.arguments;
  expect(rest).toEqual({ name, tags: ['x', [1, 2]], n: { data: [1] } });
  expect(message).toMatchObject({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'upload' } });
  expect(data).toBeInstanceOf(PackedList);
  const { shape, blocks } = data as PackedList;
  expect(shape).toEqual([100_001, 3]);
  expect([...blocks[0]!.subarray(0, 4)]).toEqual([1.5, -2, 300, 1.5]);
});

test('two of them, beside one another', () => {
  const args = read(call(`{"data":${LONG},"more":${LONG}}`))!.params.arguments;
  expect([args.data, args.more].every((list) => list instanceof PackedList)).toBe(true);
});

test.each([
  ['another tool', call(`{"data":${LONG}}`, 'other')],
  ['another argument', call(`{"other":${LONG}}`)],
  ['an argument further in', call(`{"data":{"data":${LONG}}}`)],
  ['the same argument twice', call(`{"data":${LONG},"data":${LONG}}`)],
  ['a ragged list', call(`{"data":[[1],${LONG.slice(1)}}`)],
  ['a list of texts', call(`{"data":[${'"a",'.repeat(500_000)}"a"]}`)],
  ['short lists', call(`{"data":[1,2],"text":"${'x'.repeat(2 ** 21)}"}`)],
  ['a batch', `[${call(`{"data":${LONG}}`)}]`],
  ['another method', call(`{"data":${LONG}}`).replace('tools/call', 'ping')],
  ['no JSON', `${call(`{"data":${LONG}}`)}}`],
  ['an end that is missing', call(`{"data":${LONG}}`).slice(0, -3)],
  ['a text without an end', `{"data":${LONG},"text":"\\\\\\"`],
  ['a list that is not a field', LONG],
])('%s is left to JSON.parse', (_, text) => {
  expect(read(text)).toBeUndefined();
});

test('an app that packs nothing is not asked', () => {
  expect(readPacked(Buffer.from(call(`{"data":${LONG}}`)), {})).toBeUndefined();
});

test('a packed list that is passed on says what came', () => {
  const list = new PackedList(
    [2, 2, 1],
    [Float64Array.of(1.5, Number.NaN, Number.NEGATIVE_INFINITY), Float64Array.of(4)],
  );
  expect(JSON.stringify({ list })).toBe('{"list":[[[1.5],["NaN"]],[["-Infinity"],[4]]]}');
  expect(JSON.stringify(new PackedList([2], [Float64Array.of(1, 2)]))).toBe('[1,2]');
});
