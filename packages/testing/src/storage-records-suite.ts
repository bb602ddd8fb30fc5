import type { RecordStore } from '@atoll-mcp/core/storage';
import { describe, expect, test } from 'vitest';
import { filterTests, orderTests } from './storage-query-tests.ts';
import { counters, entries, versions } from './storage-samples.ts';
import { type StorageSuiteOptions, useStorage } from './storage-target.ts';

/** What every RecordStore does. */
export function recordStoreSuite(name: string, options: StorageSuiteOptions): void {
  describe(`records in ${name}`, { timeout: 60_000 }, () => {
    const subject = useStorage(options);
    const collection = () => subject.storage.records.collection(entries);

    test('a record comes back as JSON would carry it', async () => {
      const record = { id: 'ä/1', name: 'Größe "5"', size: -3, note: { list: [1, null, '\u0000', '𝄞'], empty: {} } };
      await collection().put(record);
      expect(await collection().get('ä/1')).toEqual(record);
      expect(await collection().get('other')).toBeUndefined();
    });

    test('several are read in the order asked for', async () => {
      await collection().putMany([{ id: 'a' }, { id: 'b' }]);
      expect(await collection().getMany(['b', 'none', 'a', 'b'])).toEqual([
        { id: 'b' },
        undefined,
        { id: 'a' },
        { id: 'b' },
      ]);
    });

    test('a later put replaces the record wholly', async () => {
      await collection().put({ id: 'a', name: 'first', size: 1 });
      await collection().put({ id: 'a', name: 'second' });
      expect(await collection().get('a')).toEqual({ id: 'a', name: 'second' });
      expect(await collection().count({ size: 1 })).toBe(0);
    });

    test('changing an object afterwards changes nothing that is stored', async () => {
      const record = { id: 'a', note: { text: 'kept' } };
      await collection().put(record);
      record.note.text = 'changed';
      const read = await collection().get('a');
      Object.assign(read?.note as object, { text: 'changed' });
      expect(await collection().get('a')).toEqual({ id: 'a', note: { text: 'kept' } });
    });

    test('delete says whether there was something', async () => {
      await collection().put({ id: 'a' });
      expect(await collection().delete('a')).toBe(true);
      expect(await collection().delete('a')).toBe(false);
      expect(await collection().get('a')).toBeUndefined();
    });

    test('insert refuses an id that is taken', async () => {
      await collection().insert({ id: 'a', name: 'first' });
      await expect(collection().insert({ id: 'a', name: 'second' })).rejects.toMatchObject({ code: 'conflict' });
      expect(await collection().get('a')).toEqual({ id: 'a', name: 'first' });
    });

    test('a unique rule holds for all its fields together, and null is equal to nothing', async () => {
      const unique = subject.storage.records.collection(versions);
      await unique.put({ id: 'a', name: 'x', version: 1 });
      await unique.put({ id: 'b', name: 'x', version: 2 });
      await unique.putMany([
        { id: 'c', name: 'x', version: null },
        { id: 'd', name: 'x', version: null },
      ]);
      await expect(unique.put({ id: 'e', name: 'x', version: 2 })).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('name and version'),
      });
      await unique.put({ id: 'b', name: 'x', version: 2 });
      expect(await unique.count()).toBe(4);
    });

    test('putMany stores all or none', async () => {
      const unique = subject.storage.records.collection(versions);
      const twins = [
        { id: 'a', name: 'x', version: 1 },
        { id: 'b', name: 'x', version: 1 },
      ];
      await expect(unique.putMany(twins)).rejects.toMatchObject({ code: 'conflict' });
      expect(await unique.count()).toBe(0);
    });

    test('a value that does not fit its field is refused by name', async () => {
      const wrong = { id: 'a', size: 1.5 };
      await expect(collection().put(wrong)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('"size"'),
      });
      await expect(collection().put({ id: '' })).rejects.toMatchObject({ code: 'invalid' });
    });

    test('a field that was not declared can not be filtered or sorted by', async () => {
      const where = { note: 'x' };
      await expect(collection().list({ where })).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('name'),
      });
      await expect(collection().list({ order: [{ field: 'note' }] })).rejects.toMatchObject({ code: 'invalid' });
      const ofSize = { size: { contains: '1' } };
      await expect(collection().count(ofSize)).rejects.toMatchObject({ code: 'invalid' });
    });

    filterTests(collection);
    orderTests(collection);

    test('scan gives everything that matches, in the order of ids, while records are being changed', async () => {
      const ids = Array.from({ length: 1_203 }, (_, index) => `r${String(index).padStart(5, '0')}`);
      await collection().putMany(ids.map((id, index) => ({ id, size: index % 3 })));
      const seen: string[] = [];
      for await (const { id } of collection().scan({ size: { in: [0, 1] } })) {
        seen.push(id);
        if (seen.length === 10) await collection().delete('r00000');
      }
      expect(seen).toEqual(ids.filter((_, index) => index % 3 !== 2));
    });

    transactionTests(() => subject.storage.records);

    test('a closed store says so', async () => {
      await collection().put({ id: 'a' });
      await subject.storage.records.close();
      await expect(collection().get('a')).rejects.toMatchObject({ code: 'closed' });
      await expect(collection().put({ id: 'b' })).rejects.toMatchObject({ code: 'closed' });
    });

    if (options.durable) durableTests(subject);
  });
}

function transactionTests(records: () => RecordStore): void {
  test('a transaction is seen as a whole or not at all', async () => {
    const outside = records().collection(entries);
    await outside.put({ id: 'a', size: 1 });
    const waiting = await records().transaction(async (transaction) => {
      const inside = transaction.collection(entries);
      await inside.put({ id: 'a', size: 2 });
      await inside.put({ id: 'b', size: 2 });
      expect(await inside.count({ size: 2 })).toBe(2);
      return 'answer';
    });
    expect(waiting).toBe('answer');
    expect(await outside.count({ size: 2 })).toBe(2);
  });

  test('others do not see a transaction that is still open', async () => {
    const outside = records().collection(entries);
    await outside.put({ id: 'a', size: 1 });
    const steps = { written: defer(), looked: defer() };
    const transaction = records().transaction(async (inner) => {
      await inner.collection(entries).put({ id: 'a', size: 2 });
      steps.written.resolve();
      await steps.looked.promise;
    });
    await steps.written.promise;
    expect(await outside.get('a')).toEqual({ id: 'a', size: 1 });
    steps.looked.resolve();
    await transaction;
    expect(await outside.get('a')).toEqual({ id: 'a', size: 2 });
  });

  test('what a transaction throws undoes it, its new collections too', async () => {
    const failing = records().transaction(async (transaction) => {
      await transaction.collection(entries).put({ id: 'a' });
      await transaction.collection(counters).put({ id: 'c', value: 1 });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await records().collection(entries).count()).toBe(0);
    expect(await records().collection(counters).count()).toBe(0);
  });

  test('a conflict inside a transaction can be caught, and the rest still counts', async () => {
    await records().transaction(async (transaction) => {
      const inside = transaction.collection(entries);
      await inside.insert({ id: 'a' });
      await expect(inside.insert({ id: 'a' })).rejects.toMatchObject({ code: 'conflict' });
      await inside.insert({ id: 'b' });
    });
    expect(await records().collection(entries).count()).toBe(2);
  });

  test('transactions at the same time lose no update', async () => {
    const countUp = () =>
      records().transaction(async (transaction) => {
        const inside = transaction.collection(counters);
        const { value } = (await inside.get('n')) ?? { value: 0 };
        await new Promise(setImmediate);
        await inside.put({ id: 'n', value: value + 1 });
      });
    await Promise.all(Array.from({ length: 40 }, countUp));
    expect(await records().collection(counters).get('n')).toEqual({ id: 'n', value: 40 });
  });

  test('of many at the same time, one that throws is undone alone', async () => {
    const add = (at: number) =>
      records().transaction(async (transaction) => {
        await transaction.collection(entries).put({ id: `e${at}`, size: at });
        if (at % 3 === 0) throw new Error(`not ${at}`);
        return at;
      });
    const put = (at: number) =>
      records()
        .collection(entries)
        .put({ id: `p${at}` });
    const all = Array.from({ length: 100 }, (_, at) => at);
    const results = await Promise.allSettled(all.map(add));
    await Promise.all(all.map(put));
    for (const at of all) {
      const { reason, value } = results[at] as { reason?: Error; value?: number };
      expect(at % 3 === 0 ? reason?.message : value).toBe(at % 3 === 0 ? `not ${at}` : at);
    }
    expect(await records().collection(entries).count()).toBe(66 + 100);
  });

  test("a transaction that uses the store's own collections is told so, and does not hang", async () => {
    const outside = records().collection(entries);
    const mistaken = records().transaction(async () => outside.put({ id: 'a' }));
    await expect(mistaken).rejects.toMatchObject({ code: 'invalid' });
    await outside.put({ id: 'a' });
  });
}

function durableTests(subject: ReturnType<typeof useStorage>): void {
  test('what was stored is there after a restart', async () => {
    await subject.storage.records.collection(entries).put({ id: 'a', name: 'kept' });
    await subject.storage.close();
    expect(await subject.again().records.collection(entries).get('a')).toEqual({ id: 'a', name: 'kept' });
  });

  test('a collection with a higher version is indexed again and keeps its records', async () => {
    await subject.storage.records.collection(entries).putMany([
      { id: 'a', note: 'red' },
      { id: 'b', note: 'blue' },
    ]);
    const grown = { ...entries, version: 2, fields: { ...entries.fields, note: 'text' } } as const;
    const records = subject.again().records;
    expect((await records.collection(grown).list({ where: { note: 'blue' } })).items).toEqual([
      { id: 'b', note: 'blue' },
    ]);
    const older = subject.again().records.collection(entries);
    await expect(older.get('a')).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('newer') });
  });

  test('a definition that changed without a new version is refused', async () => {
    await subject.storage.records.collection(entries).put({ id: 'a' });
    const changed = subject.again().records.collection({ ...entries, ignoreCase: [] });
    await expect(changed.get('a')).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('version'),
    });
  });

  test('a process that is killed in the middle of writing has lost nothing it acknowledged', async () => {
    const child = subject.start({ kind: 'put records', tag: 'k' });
    await child.reached(100);
    await child.kill();
    const stored = await subject.storage.records.collection(entries).getMany(child.acknowledged);
    expect(stored.filter((record) => record === undefined)).toEqual([]);
    await subject.storage.records.collection(entries).put({ id: 'after', name: 'still works' });
  });

  test('processes that count up one number at the same time lose no step', async () => {
    const children = ['a', 'b'].map((tag) => subject.start({ kind: 'count up', tag, times: 60 }));
    await Promise.all(children.map((child) => child.ended()));
    expect(await subject.storage.records.collection(counters).get('shared')).toEqual({ id: 'shared', value: 120 });
  });

  test('processes see what each other writes while all are running', async () => {
    const mine = subject.storage.records.collection(entries);
    await mine.put({ id: 'mine', name: 'here first' });
    const child = subject.start({ kind: 'put records', tag: 'theirs' });
    await child.reached(20);
    expect(await mine.get('theirs-19')).toMatchObject({ size: 19 });
    await mine.put({ id: 'mine', name: 'while they write' });
    await child.reached(child.acknowledged.length + 5);
    expect(await mine.count({ id: { startsWith: 'theirs-' } })).toBeGreaterThanOrEqual(25);
  });
}

function defer(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
