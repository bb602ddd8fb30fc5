import { expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/document.ts';
import { findShape } from '../../../src/domain/tables/sheet-shape.ts';

const shapeOf = (...rows: Cell[][]) => findShape(rows.map((cells, at) => ({ number: at + 1, cells })));

test('names are those that pandas gives', () => {
  const { columns } = shapeOf(['x', 'x', null, 'x.1', 'x', ' y', 'a\nb'], [1, 2, 3, 4, 5, 6, 7]);
  expect(columns).toEqual(['x', 'x.2', 'Unnamed: 2', 'x.1', 'x.3', ' y', 'a\nb']);
  expect(shapeOf(['x', 'x', 'x'], [1, 2, 3]).columns).toEqual(['x', 'x.1', 'x.2']);
});

test('names that differ only in case are told apart, for SQL', () => {
  expect(shapeOf(['Id', 'id'], [1, 2]).columns).toEqual(['Id', 'id.1']);
});

test.each<[string, Cell[][], number | undefined]>([
  [
    'names',
    [
      ['a', 'b'],
      [1, 2],
    ],
    1,
  ],
  ['a title above', [['Report'], ['a', 'b', 'c'], [1, 2, 3]], 2],
  [
    'years',
    [
      ['Country', 2019, 2020],
      ['France', 1, 2],
      ['Spain', 3, 4],
    ],
    1,
  ],
  [
    'years as text',
    [
      ['', '2019', '2020'],
      ['France', '1', '2'],
    ],
    1,
  ],
  [
    'dates',
    [
      ['item', '2024-01-01', '2024-02-01'],
      ['a', 1, 2],
    ],
    1,
  ],
  [
    'numbered columns',
    [
      [0, 1, 2],
      [5, 7, 7],
      [1, 2, 1],
    ],
    1,
  ],
  [
    'data at once',
    [
      [1.5, 2],
      [3, 4],
    ],
    undefined,
  ],
  [
    'data of years at once',
    [
      ['a', 2019, 2020],
      ['b', 2018, 2021],
    ],
    undefined,
  ],
  [
    'a row of missing values that looks like names',
    [
      ['a', 1, 2],
      ['b', 3, 4],
      ['c', 'N/A', 'N/A'],
    ],
    undefined,
  ],
  [
    'a row of texts far below the data',
    [
      [1, 2],
      [3, 4],
      ['x', 'y'],
      [5, 6],
    ],
    undefined,
  ],
])('%s', (_, rows, headerRow) => {
  expect(shapeOf(...rows).headerRow).toBe(headerRow);
});
