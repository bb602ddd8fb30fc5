import type { Collection, Condition, Filter, Order } from '@atoll-mcp/core/storage';
import { expect, test } from 'vitest';
import type { Entry } from './storage-samples.ts';

/** What the filters of a collection find. */
export function filterTests(collection: () => Collection<Entry>): void {
  const stored: Entry[] = [
    { id: '1', name: 'Alpha', size: 1, weight: 0.5, active: true },
    { id: '2', name: 'alphabet', size: 2, weight: 1.5, active: false },
    { id: '3', name: 'ÄTHER 100%_', size: 3, weight: null },
    { id: '4', name: null, size: 10, active: true },
    { id: '5', name: '', size: -1, weight: 2, active: false },
  ];
  const cases: [title: string, where: Filter<Entry> | Filter<Entry>[], found: string[]][] = [
    ['everything', {}, ['1', '2', '3', '4', '5']],
    ['an equal value', { size: 2 }, ['2']],
    ['an id', { id: '3' }, ['3']],
    ['true', { active: true }, ['1', '4']],
    ['null, given or missing', { weight: null }, ['3', '4']],
    ['anything but', { name: { not: 'Alpha' } }, ['2', '3', '4', '5']],
    ['not null', { weight: { not: null } }, ['1', '2', '5']],
    ['one of several', { size: { in: [1, 10, 99] } }, ['1', '4']],
    ['one of several or null', { active: { in: [false, null] } }, ['2', '3', '5']],
    ['one of none', { size: { in: [] } }, []],
    ['a range with its ends', { size: { atLeast: 1, atMost: 3 } }, ['1', '2', '3']],
    ['a range without its ends', { size: { above: 1, below: 10 } }, ['2', '3']],
    ['text in a range', { name: { atLeast: 'B' } }, ['2', '3']],
    ['a part of text, case and all', { name: { contains: 'lpha' } }, ['1', '2']],
    ['a part of text in another case', { name: { contains: 'ALPHA' } }, []],
    ['a part of text without regard to case', { name: { contains: 'äth', ignoreCase: true } }, ['3']],
    ['signs that are special elsewhere', { name: { contains: '%_' } }, ['3']],
    ['the empty part, in any text', { name: { contains: '' } }, ['1', '2', '3', '5']],
    ['a beginning', { name: { startsWith: 'alpha' } }, ['2']],
    ['a beginning without regard to case', { name: { startsWith: 'ALPHA', ignoreCase: true } }, ['1', '2']],
    ['all conditions of one filter', { active: true, size: { above: 5 } }, ['4']],
    ['any filter of several', [{ size: 1 }, { name: { contains: '100' } }], ['1', '3']],
    ['no filter of none', [], []],
  ];
  test.each(cases)('a filter finds %s', async (_, where, found) => {
    await collection().putMany(stored);
    const { items, total } = await collection().list({ where });
    expect(items.map(({ id }) => id)).toEqual(found);
    expect(total).toBe(found.length);
    expect(await collection().count(where)).toBe(found.length);
  });

  test('an empty condition is not mistaken for a value', async () => {
    await collection().putMany(stored);
    const sizes: Condition = {};
    expect(await collection().count({ weight: sizes })).toBe(3);
  });
}

/** In which order a collection lists, and how its pages fit together. */
export function orderTests(collection: () => Collection<Entry>): void {
  const names = ['b', 'B', 'a', null, 'Z', '\u{1f600}', '\uff01', 'é', 'É'];
  const cases: [order: Order<Entry>[], expected: (string | null)[]][] = [
    [[{ field: 'name' }], [null, 'B', 'Z', 'a', 'b', 'É', 'é', '\uff01', '\u{1f600}']],
    [[{ field: 'name', direction: 'desc' }], ['\u{1f600}', '\uff01', 'é', 'É', 'b', 'a', 'Z', 'B', null]],
    [[{ field: 'name', ignoreCase: true }], [null, 'a', 'b', 'B', 'Z', 'é', 'É', '\uff01', '\u{1f600}']],
    [
      [{ field: 'size', direction: 'desc' }, { field: 'name' }],
      ['B', 'a', 'b', null, 'Z', 'É', 'é', '\uff01', '\u{1f600}'],
    ],
  ];
  test.each(cases)('records come in the order %j', async (order, expected) => {
    await collection().putMany(names.map((name, index) => ({ id: `r${index}`, name, size: index < 3 ? 1 : 0 })));
    const { items } = await collection().list({ order });
    expect(items.map(({ name }) => name)).toEqual(expected);
  });

  test('pages fit together and each says how many there are in all', async () => {
    await collection().putMany(Array.from({ length: 23 }, (_, index) => ({ id: `r${index}`, size: index % 2 })));
    const order = [{ field: 'size' as const }];
    const whole = await collection().list({ order });
    const seen: Entry[] = [];
    for (let offset = 0; offset < 30; offset += 5) {
      const page = await collection().list({ order, limit: 5, offset });
      expect(page.total).toBe(23);
      seen.push(...page.items);
    }
    expect(seen).toEqual(whole.items);
    expect(await collection().list({ limit: 0 })).toEqual({ items: [], total: 23 });
    expect((await collection().list({ offset: 99 })).total).toBe(23);
    await expect(collection().list({ limit: -1 })).rejects.toMatchObject({ code: 'invalid' });
  });
}
