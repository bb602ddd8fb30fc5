import { expect, test } from 'vitest';
import { checkParamHeaders, decodeHeader } from '../../src/protocol/rev-2026-07-28/param-headers.ts';

const tool = {
  inputSchema: {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      place: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
      list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Never' } },
      plain: { type: 'string' },
    },
  },
};

test.each([
  [{ region: 'eu' }, { 'mcp-param-region': 'eu' }, true],
  [{ region: 'eu' }, { 'mcp-param-region': 'us' }, false],
  [{ region: 'eu' }, {}, false],
  [{ region: 'ü' }, { 'mcp-param-region': '=?base64?w7w=?=' }, true],
  [{ region: 'ü' }, { 'mcp-param-region': '=?base64?w7w?=' }, false],
  [{ place: { count: 42 } }, { 'mcp-param-count': '42.0' }, true],
  [{ place: { count: 42 } }, { 'mcp-param-count': '0x2a' }, false],
  [{ region: null, plain: 'x', list: ['y'] }, {}, true],
  [{}, { 'mcp-param-region': 'eu' }, true],
])('arguments %j with headers %j', (args, headers, isFine) => {
  const check = () => checkParamHeaders(tool, args, headers);
  if (isFine) expect(check).not.toThrow();
  else expect(check).toThrow(expect.objectContaining({ code: -32020 }));
});

test('a tool without a schema has no headers to check', () => {
  expect(() => checkParamHeaders({}, { region: 'eu' }, {})).not.toThrow();
});

test.each([
  ['plain', 'plain'],
  ['=?base64?SGVsbG8=?=', 'Hello'],
  ['=?base64?SGVsbG8?=', undefined],
  ['=?base64?/w==?=', undefined],
  ['SGVsbG8=', 'SGVsbG8='],
])('the header %j means %j', (header, meaning) => {
  expect(decodeHeader(header)).toBe(meaning);
});
