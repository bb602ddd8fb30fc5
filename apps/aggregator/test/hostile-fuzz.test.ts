import { expect, test, vi } from 'vitest';
import { type PendingCall, RpcClient } from '../src/upstreams/wire/rpc-client.ts';

/** More in a nightly run: HOSTILE_MESSAGES=10000000. */
const COUNT = Number(process.env.HOSTILE_MESSAGES ?? 100_000);
vi.setConfig({ testTimeout: Math.max(600_000, COUNT / 2) });
const SEED = Number(process.env.HOSTILE_SEED ?? 20_261_118);

/** A small generator with a seed, so that a failure can be repeated. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const KEYS = [
  'id',
  'method',
  'params',
  'result',
  'error',
  'code',
  'message',
  'data',
  '__proto__',
  'constructor',
  '_meta',
];
const METHODS = ['notifications/progress', 'notifications/message', 'ping', 'elicitation/create', 'toString', '', 'x'];
const SCALARS = [
  'null',
  'true',
  '-0',
  '1e999',
  '""',
  '"\\ud800"',
  '"text"',
  '9007199254740993',
  '{"toString":1}',
  '[]',
];

function hostileMessage(random: (below: number) => number, id: number): string {
  const pick = (list: readonly string[]) => list[random(list.length)] as string;
  const value = (depth: number): string => {
    const kind = random(depth > 4 ? 4 : 8);
    if (kind < 4) return pick(SCALARS);
    if (kind === 4) return `[${value(depth + 1)},${value(depth + 1)}]`;
    if (kind === 5 && random(200) === 0) return '['.repeat(2_000) + ']'.repeat(2_000);
    return `{"${pick(KEYS)}":${value(depth + 1)},"${pick(KEYS)}":${value(depth + 1)}}`;
  };
  const ids = [String(id), String(id + 1), '"a"', 'null', value(3)];
  const fields = [
    '"jsonrpc":"2.0"',
    ...(random(2) ? [`"id":${pick(ids)}`] : []),
    ...(random(2) ? [`"method":${random(3) ? JSON.stringify(pick(METHODS)) : value(2)}`] : []),
    ...(random(2) ? [`"params":{"progressToken":${pick(ids)},"_meta":${value(2)},"x":${value(1)}}`] : []),
    ...(random(2) ? [`"result":${value(0)}`] : []),
    ...(random(2) ? [`"error":{"code":${value(3)},"message":${value(2)},"data":${value(1)}}`] : []),
  ];
  const text = `{${fields.join(',')}}`;
  const form = random(20);
  if (form === 0) return text.slice(0, random(text.length));
  if (form === 1) return `[${text},${text}]`;
  return text;
}

test(`${COUNT} hostile messages never throw, and each call is settled once`, async () => {
  const random = randomFrom(SEED);
  let rejected = 0;
  let settled = 0;
  const sender = {
    request: () => {},
    send: (text: string) => void JSON.parse(text),
    cancel: () => {},
    reject: (_why: string, from: PendingCall | undefined) => {
      rejected++;
      from?.settle(new Error('rejected'));
    },
  };
  const client = new RpcClient('hostile', sender, {
    onNotification: (_method, params) => void JSON.stringify(params),
    onRequest: async (_method, params) => params,
    onMalformed: () => {},
  });
  const begin = () => {
    let isSettled = false;
    client.begin('tools/call', { name: 'x' }, { timeoutMs: 0, onNotification: () => {} }, (outcome) => {
      expect(isSettled).toBe(false);
      isSettled = true;
      settled++;
      if (outcome instanceof Error) expect(outcome.message).toBeTypeOf('string');
      else JSON.stringify(outcome.value);
    });
    return client.underway.at(-1) as PendingCall;
  };
  let call = begin();
  for (let count = 0; count < COUNT; count++) {
    const text = hostileMessage(random, call.id);
    try {
      client.receive(text, random(2) ? call : undefined);
    } catch (error) {
      throw new Error(`seed ${SEED}, message ${count}: ${text.slice(0, 500)}`, { cause: error });
    }
    if (!client.isUnderway(call.id)) call = begin();
    if (count % 10_000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(rejected).toBeGreaterThan(0);
  expect(settled).toBeGreaterThan(COUNT / 100);
  client.receive(`{"jsonrpc":"2.0","id":${call.id},"result":{"content":[]}}`);
  expect(client.isUnderway(call.id)).toBe(false);
});
