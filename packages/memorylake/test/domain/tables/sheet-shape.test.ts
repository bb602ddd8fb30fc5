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

test('the header below lines of a preamble that are nearly as wide is found by the values below it', () => {
  const shape = shapeOf(
    ['Deliveries to the harbour', null, null],
    ['From', '2025-01-01', null],
    ['To', '2025-03-31', null],
    ['Date', 'Item', 'Count'],
    ['2025-01-05', 'Fish', 12],
    ['2025-01-06', 'Salt', 7],
  );
  expect(shape).toEqual({ headerRow: 4, columns: ['Date', 'Item', 'Count'] });
  expect(shapeOf(['From', '2025-01-01'], ['Day', 'Amount'], ['2025-01-05', 12], ['2025-01-06', 7]).headerRow).toBe(2);
});

test('a row that is wider than the header is data, when nothing below it is a value', () => {
  expect(shapeOf(['name', 'town', null], ['Ann', 'Bonn', 'a note'], ['Bob', 'Rome', null]).headerRow).toBe(1);
});

test('names that come twice are told apart by the labels above them', () => {
  const { columns } = shapeOf(
    [null, 2023, null, 2024, null, null],
    ['Region', 'Units', 'Revenue', 'Units', 'Revenue', 'Total'],
    ['North', 1, 2, 3, 4, 10],
    ['South', 1, 2, 3, 4, 10],
  );
  expect(columns).toEqual(['Region', '2023 Units', '2023 Revenue', '2024 Units', '2024 Revenue', 'Total']);
  expect(shapeOf(['A', 'A', 'B'], [1, 2, 3], [4, 5, 6]).columns).toEqual(['A', 'A.1', 'B']);
});
