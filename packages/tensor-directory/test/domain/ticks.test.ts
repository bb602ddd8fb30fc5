import { describe, expect, test } from 'vitest';
import { glyphsOf } from '../../src/domain/plot/stroke-font.ts';
import { ticksFor } from '../../src/domain/plot/ticks.ts';

const labels = (low: number, high: number, wanted: number) => ticksFor(low, high, wanted).map(({ label }) => label);

describe('the figures of an axis', () => {
  test('say where they stand, also in steps of two and a half', () => {
    expect(labels(6, 21, 7)).toEqual(['7.5', '10.0', '12.5', '15.0', '17.5', '20.0']);
    expect(labels(0, 1.5, 7)).toEqual(['0', '0.25', '0.50', '0.75', '1.00', '1.25', '1.50']);
    expect(labels(0, 150, 7)).toEqual(['0', '25', '50', '75', '100', '125', '150']);
    expect(labels(0, 1e7, 4)).toEqual(['0', '2.5e6', '5e6', '7.5e6', '1e7']);
  });

  test.each([
    [0, 10, 5],
    [-3.2, 4.1, 7],
    [0.001, 0.0123, 6],
    [-40, 1_230_000, 7],
    [1e-9, 3e-9, 5],
    [99.1, 99.9, 4],
  ])('from %d to %d are the values that they mark', (low, high, wanted) => {
    for (const { value, label } of ticksFor(low, high, wanted))
      expect(Number(label.replaceAll('−', '-'))).toBeCloseTo(value, 12);
  });

  test('an arrow is drawn, not an empty box', () => {
    expect(glyphsOf('→')).not.toEqual(glyphsOf('\u{1f600}'));
  });
});
