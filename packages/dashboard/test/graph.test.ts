import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layered } from '../web/src/lib/graph/layout.ts';

const edge = (text: string) => ({ from: text[0]!, to: text[1]! });

test('a node stands one layer after the last of those that lead to it', () => {
  const { nodes, layers, width } = layered(['a', 'b', 'c', 'd'], ['ab', 'bc', 'ac', 'cd'].map(edge));
  expect(['a', 'b', 'c', 'd'].map((id) => nodes.get(id)?.layer)).toEqual([0, 1, 2, 3]);
  expect([layers, width]).toEqual([4, 2]);
});

test('a long edge passes beside the nodes that are between its ends', () => {
  const { nodes, edges } = layered(['a', 'b', 'c'], ['ab', 'bc', 'ac'].map(edge));
  const passed = edges[2]!;
  expect(passed.map(({ layer }) => layer)).toEqual([0, 1, 2]);
  expect(Math.abs(passed[1]!.across - nodes.get('b')!.across)).toBeGreaterThanOrEqual(1);
});

test('an edge to nowhere and a cycle leave the rest as it is', () => {
  const { nodes, edges } = layered(['a', 'b', 'c'], ['ab', 'az', 'cc'].map(edge));
  expect([...nodes.values()].map(({ layer }) => layer)).toEqual([0, 1, 0]);
  expect(edges).toHaveLength(1);
});

test('in no graph do two nodes cover each other, and every edge leads on', () => {
  const pairs = fc.array(fc.tuple(fc.nat(25), fc.nat(25)), { maxLength: 80 });
  fc.assert(
    fc.property(pairs, (all) => {
      const ids = Array.from({ length: 26 }, (_, at) => `n${at}`);
      const edges = all.filter(([from, to]) => from < to).map(([from, to]) => ({ from: `n${from}`, to: `n${to}` }));
      const { nodes, edges: paths, width } = layered(ids, edges);
      const places = [...nodes.values()];
      for (const one of places) {
        expect(one.across).toBeGreaterThanOrEqual(0);
        expect(one.across).toBeLessThanOrEqual(width - 1);
        for (const other of places) {
          if (one === other || one.layer !== other.layer) continue;
          expect(Math.abs(one.across - other.across)).toBeGreaterThan(1 - 1e-9);
        }
      }
      expect(paths).toHaveLength(edges.length);
      for (const path of paths)
        expect(path.every(({ layer }, at) => at === 0 || layer === path[at - 1]!.layer + 1)).toBe(true);
    }),
  );
});
