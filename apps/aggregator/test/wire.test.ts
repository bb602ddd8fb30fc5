import { readServerMessages } from '@atoll-mcp/server/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Deadlines } from '../src/upstreams/wire/deadlines.ts';
import { PendingCalls } from '../src/upstreams/wire/pending-calls.ts';
import { EventReader, type ServerEvent } from '../src/upstreams/wire/sse.ts';

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
      for (const message of readServerMessages(text)) {
        expect(['result', 'error', 'request', 'notification']).toContain(message.kind);
        if (message.kind === 'result') expect(JSON.parse(message.text) ?? {}).toEqual(message.value);
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
        expect(readServerMessages(line)).toMatchObject([{ kind: 'result', id, text }]);
      }
    }),
  );
});

test('calls under way are found by numbers that are never given twice, however long some of them take', () => {
  const actions = fc.array(fc.record({ isBegin: fc.boolean(), which: fc.nat() }), { maxLength: 600 });
  fc.assert(
    fc.property(actions, (steps) => {
      const pending = new PendingCalls<{ id: number }>();
      const given = new Set<number>();
      const open: { id: number }[] = [];
      for (const { isBegin, which } of steps) {
        if (isBegin || open.length === 0) {
          const call = { id: pending.nextId() };
          expect(given).not.toContain(call.id);
          given.add(call.id);
          pending.add(call);
          open.push(call);
        } else {
          const [ended] = open.splice(which % open.length, 1);
          if (!ended) throw new Error('nothing is open');
          expect([pending.remove(ended), pending.remove(ended), pending.get(ended.id)]).toEqual([
            true,
            false,
            undefined,
          ]);
        }
      }
      expect(pending.all()).toEqual(open);
      for (const call of open) expect(pending.get(call.id)).toBe(call);
    }),
  );
});

test('of many calls exactly those whose time is over are ended, by one timer', async () => {
  const ended: string[] = [];
  const calls = [
    { name: 'patient', timeoutMs: 60_000, expiresAt: 0 },
    { name: 'endless', timeoutMs: 0, expiresAt: 0 },
    { name: 'second', timeoutMs: 40, expiresAt: 0 },
    { name: 'first', timeoutMs: 20, expiresAt: 0 },
  ];
  await new Promise<void>((resolve) => {
    const keepAlive = setInterval(() => {}, 1_000);
    const deadlines = new Deadlines(
      () => [...calls],
      (call) => {
        ended.push(call.name);
        calls.splice(calls.indexOf(call), 1);
        if (ended.length < 2) return;
        clearInterval(keepAlive);
        resolve();
      },
    );
    for (const call of calls) deadlines.add(call);
  });
  // On a busy machine both may be over by the time they are looked at.
  expect(ended.sort()).toEqual(['first', 'second']);
  expect(calls.map(({ name }) => name)).toEqual(['patient', 'endless']);
});
