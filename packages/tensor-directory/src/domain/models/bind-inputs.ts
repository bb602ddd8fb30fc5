import type { InputKeys } from './input-keys.ts';

/** Which tensor goes under which key in one run. */
export interface Binding<G> {
  readonly bound: Readonly<Record<string, G>>;
  /** Whether only the order told which tensor is which. */
  readonly isByOrder: boolean;
}

type Bound<G> =
  | { readonly runs: readonly Binding<G>[]; readonly problem?: undefined }
  | { readonly problem: string; readonly keys: readonly string[] };

/** The key under which the code finds its model's weights. */
export const WEIGHTS_KEY = 'weights';

/**
 * Decides which tensor goes under which key: by the key that was given, by its name, or by order. A model that reads one key is run
 * once for each tensor. Where the keys cannot be known, tensors keep their own names.
 */
export function bindInputs<G extends { readonly name: string; readonly key?: string | undefined }>(
  known: InputKeys | undefined,
  given: readonly G[],
  hasWeights: boolean,
): Bound<G> {
  const free = (keys: readonly string[]) => keys.filter((key) => !hasWeights || key !== WEIGHTS_KEY);
  const required = free(known?.required ?? []);
  const optional = free(known?.optional ?? []);
  const all = [...required, ...optional];
  if (all.length === 0) return single(given.map((each) => [each.key ?? each.name, each]));
  const wrong = given.find(({ key }) => key !== undefined && !all.includes(key));
  if (wrong) return { problem: `Unknown input '${wrong.key}'.`, keys: all };
  const isOneKey = all.length === 1 && given.every(({ key }) => key === undefined);
  if (isOneKey) return { runs: given.map((each) => ({ bound: { [all[0]!]: each }, isByOrder: false })) };
  const pairs: [string, G][] = [];
  const open: G[] = [];
  for (const each of given) {
    const key = each.key ?? (all.includes(each.name) ? each.name : undefined);
    if (key === undefined) open.push(each);
    else if (pairs.some(([taken]) => taken === key))
      return { problem: `The input '${key}' is given twice.`, keys: all };
    else pairs.push([key, each]);
  }
  const missing = (required.length > 0 ? required : optional).filter((key) => !pairs.some(([taken]) => taken === key));
  if (open.length === 0 && required.some((key) => missing.includes(key)))
    return { problem: `The input ${missing.map((key) => `'${key}'`).join(', ')} is missing.`, keys: all };
  if (open.length > 0 && open.length !== missing.length) {
    const are = given.length === 1 ? '1 tensor is' : `${given.length} tensors are`;
    return { problem: `${are} named for ${required.length || optional.length} input(s).`, keys: all };
  }
  return single([...pairs, ...open.map((each, i): [string, G] => [missing[i]!, each])], open.length > 1);
}

function single<G>(pairs: readonly (readonly [string, G])[], isByOrder = false): Bound<G> {
  // No prototype: "__proto__" is a key like any other.
  const bound: Record<string, G> = Object.create(null);
  for (const [key, each] of pairs) bound[key] = each;
  return { runs: [{ bound, isByOrder }] };
}
