import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CodeRuntime, CodeSession } from '../../src/interface.ts';
import { createJavaScriptRuntime } from '../../src/javascript/runtime.ts';
import { createSqlRuntime } from '../../src/sql/runtime.ts';

// A busy machine is slow, not wrong.
vi.setConfig({ testTimeout: 600_000 });

/** Everything that code can reach from its global object, as a text: names, kinds, attributes, and what functions say of themselves. */
const FINGERPRINT = `(() => {
  const seen = new Map(), lines = [];
  const visit = (value, path) => {
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return lines.push(path + '=' + typeof value);
    if (seen.has(value)) return lines.push(path + '->' + seen.get(value));
    seen.set(value, path);
    lines.push(path + ':' + Object.isExtensible(value) + (typeof value === 'function' ? value.name + value.length : ''));
    visit(Object.getPrototypeOf(value), path + '.__proto__');
    for (const key of Reflect.ownKeys(value)) {
      const { get, set, writable, enumerable, configurable, value: inner } = Object.getOwnPropertyDescriptor(value, key);
      const at = path + '.' + String(key);
      lines.push(at + [writable, enumerable, configurable]);
      for (const part of [inner, get, set]) visit(part, at);
    }
  };
  visit(globalThis, '');
  return lines;
})()`;

/** Changes and hides whatever it can, and fills the memory with a secret. */
const POLLUTE = `
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    const made = globalThis[name];
    if (typeof made !== 'function' || !made.prototype) continue;
    try { made.prototype.secret = 'tide'; made.secret = 'tide'; } catch {}
    for (const key of Reflect.ownKeys(made.prototype)) try { if (key !== 'constructor') delete made.prototype[key]; } catch {}
  }
  Object.defineProperty(Object.prototype, 'then', { get() { return 'tide'; }, configurable: false });
  Symbol.for('tide').description;
  globalThis.kept = [];
  try { for (;;) kept.push(new Uint8Array(1 << 16).map(() => 0x5a)); } catch {}
  Object.freeze(globalThis);`;

const SECRETS_IN_MEMORY = `let found = 0;
  for (let n = 0; n < 400; n++) {
    const words = new Uint32Array(1 << 14);
    for (let at = 0; at < 16384; at++) if (words[at] !== 0) found++;
  }
  found`;

describe('JavaScript sessions, which share their compiled interpreter,', () => {
  let runtime: CodeRuntime;
  beforeAll(() => {
    runtime = createJavaScriptRuntime();
  });
  afterAll(() => runtime.close());
  const returned = async (session: CodeSession, code: string) =>
    (await session.run(code, { returnValue: true, timeoutMs: 120_000 })).value;

  test('share no object and no memory, open at the same time, later, or the same one emptied', async () => {
    const open = () => runtime.open({ limits: { jsonBytes: 8 * 1024 * 1024 } });
    const [fresh, polluted, beside] = [await open(), await open(), await open()];
    const expected = await returned(fresh, FINGERPRINT);
    expect((expected as string[]).length).toBeGreaterThan(2_000);
    // It is there before the other is changed.
    expect(await returned(beside, 'globalThis.own = 1')).toBe(1);
    await polluted.run(POLLUTE);
    expect(await returned(polluted, FINGERPRINT)).not.toEqual(expected);
    expect(await returned(beside, 'delete globalThis.own')).toBe(true);
    expect(await returned(beside, FINGERPRINT)).toEqual(expected);
    await polluted.reset?.();
    const emptied = polluted.ended ? await open() : polluted;
    const later = await open();
    for (const session of [beside, emptied, later]) {
      expect(await returned(session, FINGERPRINT)).toEqual(expected);
      expect(await returned(session, SECRETS_IN_MEMORY)).toBe(0);
    }
    for (const session of [fresh, polluted, beside, emptied, later]) await session.close();
  });
});

test('SQL sessions share no setting, table or memory', async () => {
  const runtime = createSqlRuntime();
  const [one, other] = [await runtime.open(), await runtime.open()];
  for (const sql of [
    'PRAGMA case_sensitive_like = ON',
    'CREATE TEMP TABLE secret AS SELECT 1',
    'PRAGMA user_version = 7',
  ])
    expect((await one.run(sql)).ok, sql).toBe(false);
  await one.run("SELECT length(replace(hex(zeroblob(10000000)), '00', 'tide'))");
  const asked = 'SELECT name FROM sqlite_master UNION ALL SELECT name FROM sqlite_temp_master';
  for (const session of [other, await runtime.open()]) {
    expect(await session.run(asked)).toMatchObject({ ok: true, rows: [] });
    expect(
      (await session.run("SELECT 'A' LIKE 'a' AS same, (SELECT user_version FROM pragma_user_version) AS v")).rows,
    ).toEqual([[1, 0]]);
    expect((await session.run('SELECT trim(hex(zeroblob(1000000)), 0) AS left')).rows).toEqual([['']]);
  }
  await runtime.close();
});
