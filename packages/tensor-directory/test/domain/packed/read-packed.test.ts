import { expect, test } from 'vitest';
import { PackedList } from '../../../src/domain/packed/packed-list.ts';
import { readPacked } from '../../../src/domain/packed/read-packed.ts';

/** Long enough to be packed. */
const LONG = `[${'[1.5,-2,3e2],'.repeat(100_000)}[4,5,6]]`;

const call = (args: string, name = 'upload_tensor') =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

function read(text: string) {
  return readPacked(Buffer.from(text)) as { params: { arguments: Record<string, unknown> } } | undefined;
}

test('a long list of numbers comes packed, and all else as it was', () => {
  const name = 'a "quoted", [bracketed]: name \\\\ with ü and 湖';
  const message = read(
    call(`{"name":${JSON.stringify(name)},"tensor_data": ${LONG} ,"tags":["x",[1,2]],"n":{"tensor_data":[1]}}`),
  );
  const { tensor_data: data, ...rest } = message!.params.arguments;
  expect(rest).toEqual({ name, tags: ['x', [1, 2]], n: { tensor_data: [1] } });
  expect(message).toMatchObject({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'upload_tensor' } });
  expect(data).toBeInstanceOf(PackedList);
  const { shape, blocks } = data as PackedList;
  expect(shape).toEqual([100_001, 3]);
  expect([...blocks[0]!.subarray(0, 4)]).toEqual([1.5, -2, 300, 1.5]);
});

test('a tool that stands behind another app is found by its own name', () => {
  const ownName = (listed: string) => (listed === 'lab_upload' ? 'upload_tensor' : undefined);
  const bytes = (name: string) => Buffer.from(call(`{"tensor_data":${LONG}}`, name));
  expect(readPacked(bytes('lab_upload'), ownName)).toMatchObject({ params: { name: 'lab_upload' } });
  expect(readPacked(bytes('upload_tensor'), ownName)).toBeUndefined();
});

test.each([
  ['another tool', call(`{"tensor_data":${LONG}}`, 'other')],
  ['another argument', call(`{"other":${LONG}}`)],
  ['a second long list', call(`{"tensor_data":${LONG},"more":${LONG}}`)],
  ['an argument further in', call(`{"tensor_data":{"tensor_data":${LONG}}}`)],
  ['the same argument twice', call(`{"tensor_data":${LONG},"tensor_data":${LONG}}`)],
  ['a ragged list', call(`{"tensor_data":[[1],${LONG.slice(1)}}`)],
  ['a list of texts', call(`{"tensor_data":[${'"a",'.repeat(500_000)}"a"]}`)],
  ['short lists', call(`{"tensor_data":[1,2],"text":"${'x'.repeat(2 ** 21)}"}`)],
  ['a batch', `[${call(`{"tensor_data":${LONG}}`)}]`],
  ['another method', call(`{"tensor_data":${LONG}}`).replace('tools/call', 'ping')],
  ['no JSON', `${call(`{"tensor_data":${LONG}}`)}}`],
  ['an end that is missing', call(`{"tensor_data":${LONG}}`).slice(0, -3)],
  ['a text without an end', `{"tensor_data":${LONG},"text":"\\\\\\"`],
  ['a list that is not a field', LONG],
])('%s is left to JSON.parse', (_, text) => {
  expect(read(text)).toBeUndefined();
});

test('a packed list that is passed on says what came', () => {
  const list = new PackedList(
    [2, 2, 1],
    [Float64Array.of(1.5, Number.NaN, Number.NEGATIVE_INFINITY), Float64Array.of(4)],
  );
  expect(JSON.stringify({ list })).toBe('{"list":[[[1.5],["NaN"]],[["-Infinity"],[4]]]}');
  expect(JSON.stringify(new PackedList([2], [Float64Array.of(1, 2)]))).toBe('[1,2]');
});
