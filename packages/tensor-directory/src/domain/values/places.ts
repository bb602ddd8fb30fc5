/** How a value is compared with the one at the same place of another tensor. */
export type Relation = 'higher' | 'lower' | { readonly times: number };

/** So far apart may two doubles be that differ only by rounding. */
const ROUNDING = 1e-12;

/** The places where it holds; multiples as exactly as the dtype can tell. NaN is neither higher nor lower than anything, nor a multiple. */
export function atPlaces(left: Float64Array, right: Float64Array, relation: Relation, isSingle = false) {
  const places: number[] = [];
  let nans = 0;
  for (const [i, a] of left.entries()) {
    const b = right[i]!;
    if (Number.isNaN(a) || Number.isNaN(b)) nans++;
    else if (holds(a, b, relation, isSingle)) places.push(i);
  }
  return { places, nans };
}

function holds(a: number, b: number, relation: Relation, isSingle: boolean): boolean {
  if (relation === 'higher') return a > b;
  if (relation === 'lower') return a < b;
  const wanted = b * relation.times;
  if (isSingle && Math.fround(a) === Math.fround(wanted)) return true;
  return a === wanted || Math.abs(a - wanted) <= ROUNDING * Math.abs(wanted);
}

/** The largest or smallest values with their places, the first first. */
export function extremesOf(values: Float64Array, count: number, which: 'largest' | 'smallest') {
  const sign = which === 'largest' ? -1 : 1;
  const places = [...values.keys()].filter((i) => !Number.isNaN(values[i]!));
  const nans = values.length - places.length;
  const order = (i: number, j: number) => (values[i] === values[j] ? i - j : sign * (values[i]! < values[j]! ? -1 : 1));
  return {
    nans,
    found: places
      .sort(order)
      .slice(0, count)
      .map((at) => ({ at, value: values[at]! })),
  };
}
