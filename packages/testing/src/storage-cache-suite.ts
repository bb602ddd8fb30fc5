import { describe, expect, test } from 'vitest';
import { type StorageSuiteOptions, useStorage } from './storage-target.ts';

const bytes = (text: string) => new Uint8Array(Buffer.from(text));

/** What every Cache does. */
export function cacheSuite(name: string, options: StorageSuiteOptions): void {
  describe(`cache in ${name}`, { timeout: 60_000 }, () => {
    const subject = useStorage(options);
    const cache = () => subject.storage.cache({ name: 'suite', maxBytes: 10_000 });

    test('values come back in the order asked for, and hits and misses are counted', async () => {
      await cache().setMany([
        ['a', bytes('1')],
        ['b', bytes('')],
        ['ключ', bytes('3')],
      ]);
      const values = await cache().getMany(['ключ', 'none', 'b', 'a']);
      expect(values.map((value) => value && Buffer.from(value).toString())).toEqual(['3', undefined, '', '1']);
      expect(await cache().stats()).toMatchObject({ entries: 3, hits: 3, misses: 1, maxBytes: 10_000 });
    });

    test('a later value replaces the former, in the size too', async () => {
      await cache().setMany([['a', new Uint8Array(5_000)]]);
      await cache().setMany([['a', new Uint8Array(10)]]);
      expect((await cache().getMany(['a']))[0]).toHaveLength(10);
      expect(await cache().stats()).toMatchObject({ entries: 1, sizeBytes: 11 });
    });

    test('it never grows beyond its limit, and keeps what came last', async () => {
      for (let turn = 0; turn < 100; turn++) {
        await cache().setMany([[`k${turn}`, new Uint8Array(900)]]);
        expect((await cache().stats()).sizeBytes).toBeLessThanOrEqual(10_000);
      }
      const kept = await cache().getMany(['k0', 'k99', 'k98']);
      expect(kept.map((value) => value?.length)).toEqual([undefined, 900, 900]);
    });

    test('what is larger than the whole cache is not kept, and pushes nothing out', async () => {
      await cache().setMany([
        ['small', bytes('x')],
        ['large', new Uint8Array(10_001)],
      ]);
      expect((await cache().getMany(['small', 'large'])).map((value) => value?.length)).toEqual([1, undefined]);
    });

    test('what is handed in or out can be changed without harm', async () => {
      const value = bytes('kept');
      await cache().setMany([['a', value]]);
      value.fill(0);
      (await cache().getMany(['a']))[0]?.fill(0);
      expect(Buffer.from((await cache().getMany(['a']))[0] ?? []).toString()).toBe('kept');
    });

    test('it can be emptied, and closed', async () => {
      await cache().setMany([['a', bytes('1')]]);
      await cache().clear();
      expect(await cache().stats()).toMatchObject({ entries: 0, sizeBytes: 0 });
      await cache().close();
      await expect(cache().getMany(['a'])).rejects.toMatchObject({ code: 'closed' });
    });

    if (options.durable) {
      test('values outlive a restart and are shared by processes', async () => {
        const shared = () => subject.again().cache({ name: 'suite', maxBytes: 1 << 20 });
        const children = ['a', 'b'].map((tag) => subject.start({ kind: 'fill cache', tag, times: 30 }));
        await Promise.all(children.map((child) => child.ended()));
        const keys = children.flatMap(({ acknowledged }) => acknowledged);
        const values = await shared().getMany(keys);
        expect(values.map((value) => value && Buffer.from(value).toString())).toEqual(keys);
        expect(await shared().stats()).toMatchObject({ entries: 60 });
      });
    }
  });
}
