import { describe, expect, test } from 'vitest';
import { onGrid, rounder, steps } from '../../../src/domain/graphs/grid.ts';

/** How far the last bit of a float may be off between two machines, several times over. */
const DOUBT = 3 * 2 ** -23;

test('adding a rounder and taking it away again leaves a multiple of its step', () => {
  for (const step of [steps.state, steps.middle, steps.query]) {
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
    const edges = Array.from({ length: Math.round(1 / steps.share) }, (_, i) => (i + 0.5) * steps.share);
    for (const edge of edges) {
      const nearest = Math.round(Math.log(edge) / scoreStep) * scoreStep;
      expect(Math.abs(Math.exp(nearest) - edge) / edge).toBeGreaterThan(DOUBT);
    }
  });

  test('give no GELU that lies on an edge between two steps', () => {
    for (let i = Math.floor(-8 / steps.wide); i * steps.wide < 256 * steps.gelu; i++) {
      const x = i * steps.wide;
      const place = gelu(x) / steps.gelu;
      const fromEdge = Math.abs(place - Math.floor(place) - 0.5) * steps.gelu;
      expect(fromEdge, `GELU of ${x}`).toBeGreaterThan(DOUBT * Math.abs(x));
    }
  });
});

/** In the form with a hyperbolic tangent, which the graph takes. */
function gelu(x: number): number {
  return 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
}
