import { expect, test } from 'vitest';
import { openDirectory } from './directory.ts';

test('the rows most like one are found by cosine, with their distance', async () => {
  const { call, upload } = await openDirectory();
  const uuid = await upload('vectors', [
    [1, 0],
    [2, 0.1],
    [0, 3],
    [-1, 0],
    [0, 0],
    [5, 5],
  ]);
  const { body } = await call('search_similar', { name_or_uuid: 'vectors', row: 0, limit: 3 });
  expect(body).toEqual({
    success: true,
    uuid,
    name: 'vectors',
    row: 0,
    compared: 5,
    left_out: 1,
    rows: [
      { row: 1, cosine: expect.closeTo(2 / Math.hypot(2, 0.1), 12), distance: expect.closeTo(Math.hypot(1, 0.1), 12) },
      { row: 5, cosine: expect.closeTo(Math.SQRT1_2, 12), distance: expect.closeTo(Math.hypot(4, 5), 12) },
      { row: 2, cosine: 0, distance: expect.closeTo(Math.sqrt(10), 12) },
    ],
  });
  const last = await call('search_similar', { name_or_uuid: 'vectors', row: -1 });
  expect(last.body).toMatchObject({ row: 5, rows: [{ row: 1 }, { row: 0 }, { row: 2 }, { row: 3 }] });
});

test('pieces of a stream that end inside a row change nothing', async () => {
  const { call, upload } = await openDirectory();
  const rows = Array.from({ length: 3_000 }, (_, i) => Array.from({ length: 37 }, (_, j) => Math.sin(i * 7 + j * j)));
  rows[2_718] = rows[5]!.map((value) => value * 3);
  await upload('many', rows);
  const { body } = await call('search_similar', { name_or_uuid: 'many', row: 5, limit: 1 });
  expect(body.rows).toMatchObject([{ row: 2_718, cosine: expect.closeTo(1, 12) }]);
});

test('what has no rows, or no such row, is told so', async () => {
  const { call, upload } = await openDirectory();
  await upload('line', [1, 2, 3]);
  await upload('zeros', [
    [0, 0],
    [1, 1],
  ]);
  const problem = async (name_or_uuid: string, row: number) =>
    (await call('search_similar', { name_or_uuid, row })).body.message;
  expect(await problem('line', 0)).toContain('its shape is (3,)');
  expect(await problem('zeros', 0)).toContain('row 0 is all zeros');
  expect(await problem('zeros', 2)).toContain('its rows are 0 to 1');
  expect(await problem('none', 0)).toContain("Tensor 'none' not found");
});
