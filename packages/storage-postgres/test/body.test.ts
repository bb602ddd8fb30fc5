import { expect, test } from 'vitest';
import { recordOf, rowOf } from '../src/body.ts';

const definition = { name: 'notes', version: 1, fields: { title: 'text' } } as const;
const there = (record: { id: string; title: string; more?: unknown }) => {
  const { body, raw } = rowOf(definition, record);
  return { raw, record: recordOf({ body: JSON.parse(body), raw }) };
};

test('text that only looks like an escape is kept as it is, in the row and in its columns', () => {
  for (const title of ['\\u0000', '\\\\u0000', '\\ud800', 'C:\\\\udc00', '𝄞 \\ 𝄞']) {
    expect(there({ id: 'a', title })).toEqual({ raw: null, record: { id: 'a', title } });
  }
});

test('what JSONB cannot hold comes back all the same', () => {
  for (const more of ['\u0000', 'a\\\u0000', '\ud800', '\udc00x', '\\\\\ud800']) {
    const record = { id: 'a', title: 'x', more };
    const { raw, record: back } = there(record);
    expect(raw).not.toBeNull();
    expect(back).toEqual(record);
  }
});
