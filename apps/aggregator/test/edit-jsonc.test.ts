import { expect, test } from 'vitest';
import { deleteInJsonc, setInJsonc } from '../src/commands/edit-jsonc.ts';

const ENTRY = { command: 'node', args: ['atoll'] };

test('comments, big integers, order and every other character stay as they were', () => {
  const before = `// top
{
  "big": 12345678901234567890, // kept
  "mcpServers": {
    /* first */
    "other": { "command": "x" }, // trailing comma follows
  },
  "last": 1e400
}
`;
  const after = setInJsonc(before, ['mcpServers', 'atoll'], ENTRY) ?? '';
  expect(after.replace(/\n {4}"atoll": \{[\s\S]*?\n {4}\}/, '')).toBe(before);
  expect(after).toContain('"command": "node"');
  expect(setInJsonc(after, ['mcpServers', 'atoll'], ENTRY)).toBe(after);
  expect(setInJsonc(after, ['mcpServers', 'atoll'], { command: 'y' })).toContain(
    '"atoll": {\n      "command": "y"\n    }',
  );
});

test.each([
  ['', 'mcpServers'],
  ['{}', 'mcpServers'],
  ['{ }\n', 'mcpServers'],
  ['{"a":1}', 'mcpServers'],
  ['{"mcpServers":{}}', 'mcpServers'],
  ['{"mcpServers":{"x":{}}}', 'mcpServers'],
  ['{\n\t"servers": {\n\t\t"x": {}\n\t}\n}', 'servers'],
  ['\ufeff{\r\n  "a": "}{,"\r\n}', 'servers'],
  ['{"__proto__":{"x":1},"constructor":2}', 'mcpServers'],
])('%j gets the entry and keeps the rest', (before, section) => {
  const after = setInJsonc(before, [section, 'atoll'], ENTRY) ?? '';
  const parsed = JSON.parse(after.replace(/^\ufeff/, ''));
  expect(parsed[section].atoll).toEqual(ENTRY);
  const rest = before.trim() === '' ? {} : JSON.parse(before.replace(/^\ufeff/, ''));
  expect(Object.keys(parsed).filter((key) => key !== section)).toEqual(
    Object.keys(rest).filter((key) => key !== section),
  );
});

test.each([
  '[]',
  '"text"',
  '{',
  '{"a":1}}',
  '{"a" 1}',
  '{"mcpServers":[]}',
  '{"mcpServers":null}',
  '{"mcpServers":{},"mcpServers":{}}',
  '{"mcpServers":{"atoll":1,"atoll":2}}',
  "{'a':1}",
  '{"a":undefined}',
  'a: 1',
])('%j is not understood and left alone', (text) => {
  expect(setInJsonc(text, ['mcpServers', 'atoll'], ENTRY)).toBeUndefined();
});

test('a comment in an empty object stays', () => {
  expect(setInJsonc('{ // mine\n}', ['a', 'b'], 1)).toBe('{ // mine\n  "a": {\n    "b": 1\n  }\n}');
});

test.each([
  ['{"a":1,"b":2,"c":3}', 'b', '{"a":1,"c":3}'],
  ['{"a":1,"b":2}', 'b', '{"a":1}'],
  ['{"b":2}', 'b', '{}'],
  ['{\n  "a": 1, // one\n  "b": 2\n}\n', 'b', '{\n  "a": 1 // one\n}\n'],
  ['{\n  "a": 1,\n  "b": 2, // two\n  "c": 3\n}\n', 'a', '{\n  "b": 2, // two\n  "c": 3\n}\n'],
  ['{\n  "b": {\n    "x": 1\n  },\n}\n', 'b', '{\n}\n'],
  ['{"a":1}', 'b', '{"a":1}'],
])('%j without %j is %j', (before, key, after) => {
  expect(deleteInJsonc(before, [key])).toBe(after);
});

test('a value deep inside is set where it stands, and steps that are missing are made', () => {
  const before = '{\n  "mcpServers": {\n    // mine\n    "x": { "command": "a" }\n  }\n}\n';
  const after = setInJsonc(before, ['mcpServers', 'x', 'disabled'], true);
  expect(after).toBe(before.replace('"a" }', '"a","disabled":true }'));
  expect(setInJsonc(before, ['servers', 'y', 'deny'], ['z'])).toContain('"y": {');
});
