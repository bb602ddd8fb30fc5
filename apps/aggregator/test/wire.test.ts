import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMessages } from '../src/wire/message.ts';
import { EventReader, type ServerEvent } from '../src/wire/sse.ts';

const pieces = fc.oneof(
  fc.string(),
  fc.constantFrom('\n', '\r\n', '\n\n', 'data: ', 'data:', 'id: 7', 'event: message', ': still here', 'retry: 250'),
  fc.json(),
);
const streams = fc.array(pieces, { maxLength: 30 }).map((parts) => Buffer.from(parts.join('')));

function eventsOf(chunks: readonly Buffer[], maxBytes = 1_000_000) {
  const events: ServerEvent[] = [];
  let tooLong = 0;
  const reader = new EventReader({ maxBytes, onEvent: (event) => events.push(event), onTooLong: () => tooLong++ });
  for (const chunk of chunks) reader.push(chunk);
  return { events, tooLong, retryMs: reader.retryMs };
}

test('events are the same however their bytes are cut', () => {
  fc.assert(
    fc.property(streams, fc.integer({ min: 1, max: 7 }), (stream, size) => {
      const cut = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
        stream.subarray(at * size, (at + 1) * size),
      );
      expect(eventsOf(cut)).toEqual(eventsOf([stream]));
    }),
  );
});

test('an event of many short lines is given up as one long line is', () => {
  const line = Buffer.from('data: 0123456789\n');
  const { events, tooLong } = eventsOf(Array(1_000).fill(line), 1_000);
  expect(events).toEqual([]);
  expect(tooLong).toBeGreaterThan(0);
});

test('whatever a server writes is a message or nothing', () => {
  const ids = fc.oneof(fc.nat(), fc.string(), fc.constant(null));
  const shaped = fc
    .record(
      {
        jsonrpc: fc.constant('2.0'),
        id: ids,
        method: fc.string(),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    .map((message) => JSON.stringify(message));
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), shaped), (text) => {
      for (const message of readMessages(text)) {
        expect(['result', 'error', 'request', 'notification']).toContain(message.kind);
        if (message.kind === 'result') expect(JSON.parse(message.text)).toEqual(message.value);
      }
    }),
    { numRuns: 500 },
  );
});

test('a result that comes in the usual frame is passed on in the very text it came as', () => {
  fc.assert(
    fc.property(fc.nat(), fc.dictionary(fc.string(), fc.jsonValue()), (id, result) => {
      const text = JSON.stringify(result);
      for (const line of [
        `{"jsonrpc":"2.0","id":${id},"result":${text}}`,
        `{"result":${text},"jsonrpc":"2.0","id":${id}}`,
      ]) {
        expect(readMessages(line)).toMatchObject([{ kind: 'result', id, text }]);
      }
    }),
  );
});
