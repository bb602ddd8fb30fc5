import type { Entry } from '../catalog/catalog.ts';
import { foldName } from '../catalog/naming.ts';
import { termsOf } from './terms.ts';
import { textsOf } from './tool-texts.ts';

/** Shared terms of two descriptions from which on they say the same. */
const SAME = 0.8;

/** Whether two servers offer the same tool: the same name, and descriptions of nearly the same words. */
export function isDuplicate(a: Entry, b: Entry): boolean {
  if (a.member === b.member || foldName(a.ownName) !== foldName(b.ownName)) return false;
  const [left, right] = [a, b].map(({ definition }) => new Set(termsOf(textsOf(definition).description)));
  if (!left || !right) return false;
  const shared = [...left].filter((term) => right.has(term)).length;
  const all = left.size + right.size - shared;
  return all === 0 || shared / all >= SAME;
}
