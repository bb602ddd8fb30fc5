import { describe, expect, test } from 'vitest';
import { onGrid, rounder, steps } from '../../src/domain/grid.ts';
import { outliersOfLayers } from '../../src/domain/minilm-outliers.ts';

/** How far the last bit of a float may be off between two machines, several times over. */
const DOUBT = 3 * 2 ** -23;

test('adding a rounder and taking it away again leaves a multiple of its step', () => {
  for (const step of [steps.state, steps.value, steps.attention]) {
    for (const value of [0, 0.3, -0.3, 1 / 3, Math.PI, -17.77, 63.001]) {
      const rounded = Math.fround(Math.fround(Math.fround(value) + rounder(step)) - rounder(step));
      expect(rounded / step).toBe(Math.round(rounded / step));
      expect(Math.abs(rounded - value)).toBeLessThanOrEqual(step / 2 + 1e-6);
      expect(Math.abs(onGrid(value, step) - value)).toBeLessThanOrEqual(step / 2);
    }
  }
});

describe('functions that differ in the last bit from machine to machine', () => {
  test('give no exponential of a score that lies on an edge between two steps', () => {
    const scoreStep = steps.query * steps.key;
    const edges = Array.from({ length: 1 / steps.attention }, (_, i) => (i + 0.5) * steps.attention);
    for (const edge of edges) {
      const nearest = Math.round(Math.log(edge) / scoreStep) * scoreStep;
      expect(Math.abs(Math.exp(nearest) - edge) / edge).toBeGreaterThan(DOUBT);
    }
  });

  test.each([1, ...new Set(outliersOfLayers.flatMap(({ narrow }) => Object.values(narrow)))])(
    'give no GELU that lies on an edge between two steps, also divided by %i',
    (factor) => {
      const inputStep = steps.wide * factor;
      const outputStep = steps.bent * factor;
      for (let i = Math.floor(-8 / inputStep); i * inputStep < 256 * outputStep; i++) {
        const x = i * inputStep;
        const place = gelu(x) / outputStep;
        const fromEdge = Math.abs(place - Math.floor(place) - 0.5) * outputStep;
        expect(fromEdge, `GELU of ${x}`).toBeGreaterThan(DOUBT * Math.abs(x));
      }
    },
  );
});

function gelu(x: number): number {
  return 0.5 * x * (1 + erf(x / Math.SQRT2));
}

/** A series near zero, a continued fraction farther out. */
function erf(x: number): number {
  const size = Math.abs(x);
  let value = 1;
  if (size < 3) {
    let term = size;
    let sum = 0;
    for (let n = 0; n < 100; n++) {
      sum += term / (2 * n + 1);
      term *= -(size * size) / (n + 1);
    }
    value = (2 / Math.sqrt(Math.PI)) * sum;
  } else {
    let fraction = 0;
    for (let k = 60; k >= 1; k--) fraction = k / 2 / (size + fraction);
    value = 1 - Math.exp(-size * size) / Math.sqrt(Math.PI) / (size + fraction);
  }
  return Math.sign(x) * value;
}
