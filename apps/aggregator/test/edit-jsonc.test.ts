import { expect, test } from 'vitest';
import { setInJsonc } from '../src/commands/edit-jsonc.ts';

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
  const after = setInJsonc(before, 'mcpServers', 'atoll', ENTRY) ?? '';
  expect(after.replace(/\n {4}"atoll": \{[\s\S]*?\n {4}\}/, '')).toBe(before);
  expect(after).toContain('"command": "node"');
  expect(setInJsonc(after, 'mcpServers', 'atoll', ENTRY)).toBe(after);
  expect(setInJsonc(after, 'mcpServers', 'atoll', { command: 'y' })).toContain(
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
  const after = setInJsonc(before, section, 'atoll', ENTRY) ?? '';
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
  expect(setInJsonc(text, 'mcpServers', 'atoll', ENTRY)).toBeUndefined();
});

test('a comment in an empty object stays', () => {
  expect(setInJsonc('{ // mine\n}', 'a', 'b', 1)).toBe('{ // mine\n  "a": {\n    "b": 1\n  }\n}');
});
