import type { Json } from '@atoll-mcp/core';
import { expect, test } from 'vitest';
import { codec2026 } from '../../src/protocol/rev-2026-07-28/codec.ts';
import { tinyApp } from '../fixtures/tiny-app.ts';

const app = tinyApp();
const call = { method: 'tools/call' };
const text = { type: 'text', text: 'line\n"quoted" ü \u2028' };

test.each<[Json]>([
  [{}],
  [{ left: undefined }],
  [{ content: [text] }],
  [{ content: [], structuredContent: { rows: [1, 2.5, null], '': {} }, isError: false }],
  [JSON.parse('{"content":[],"__proto__":{"a":1},"2":"b","1":"a"}')],
])('the text of %j is that of its object', (result) => {
  expect(codec2026.encodeText?.(app, call, result)).toBe(JSON.stringify(codec2026.encodeResult(app, call, result)));
});

test.each<[Json]>([
  [{ content: [text], isError: true }],
  [{ content: [], structuredContent: [1] }],
  [{ content: [], structuredContent: null }],
  [{ content: [], _meta: { own: 1 } }],
  [{ content: [], resultType: 'complete' }],
  [{ resultType: 'input_required', inputRequests: {} }],
])('%j is changed as an object', (result) => {
  expect(codec2026.encodeText?.(app, call, result)).toBeUndefined();
});

test('results of other methods may need hints for caches, so they are changed as objects', () => {
  expect(codec2026.encodeText?.(app, { method: 'resources/read' }, { contents: [] })).toBeUndefined();
});
