import type { ComputedDtype } from '@atoll-mcp/formats/dtypes';

interface ElementFunction {
  readonly work: (value: number) => number;
  /** `same` keeps the dtype; `float` turns whatever is not a float into float64. */
  readonly gives: 'same' | 'float' | 'bool';
}

const float = (work: (value: number) => number): ElementFunction => ({ work, gives: 'float' });
const same = (work: (value: number) => number): ElementFunction => ({ work, gives: 'same' });
const bool = (test: (value: number) => boolean): ElementFunction => ({ work: (x) => (test(x) ? 1 : 0), gives: 'bool' });

/** Functions of one value at a time. */
export const ELEMENT_FUNCTIONS: Readonly<Record<string, ElementFunction>> = {
  abs: same(Math.abs),
  sign: same(Math.sign),
  floor: same(Math.floor),
  ceil: same(Math.ceil),
  trunc: same(Math.trunc),
  round: same(roundHalfEven),
  relu: same((x) => (x > 0 || Number.isNaN(x) ? x : 0)),
  square: same((x) => x * x),
  sqrt: float(Math.sqrt),
  exp: float(Math.exp),
  expm1: float(Math.expm1),
  log: float(Math.log),
  log1p: float(Math.log1p),
  log2: float(Math.log2),
  log10: float(Math.log10),
  sin: float(Math.sin),
  cos: float(Math.cos),
  tan: float(Math.tan),
  tanh: float(Math.tanh),
  sigmoid: float((x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x)))),
  isnan: bool(Number.isNaN),
  isfinite: bool(Number.isFinite),
  isinf: bool((x) => !Number.isFinite(x) && !Number.isNaN(x)),
};

interface Operator {
  readonly work: (a: number, b: number) => number;
  /** `common` is the dtype of both together. */
  readonly gives: 'common' | 'float' | 'bool';
}

export const OPERATORS: Readonly<Record<string, Operator>> = {
  '+': { work: (a, b) => a + b, gives: 'common' },
  '-': { work: (a, b) => a - b, gives: 'common' },
  '*': { work: (a, b) => a * b, gives: 'common' },
  '/': { work: (a, b) => a / b, gives: 'float' },
  '//': { work: (a, b) => Math.floor(a / b), gives: 'common' },
  // The sign is that of the divisor, as in Python.
  '%': { work: (a, b) => (a % b !== 0 && a % b < 0 !== b < 0 ? (a % b) + b : a % b), gives: 'common' },
  '**': { work: (a, b) => a ** b, gives: 'common' },
  '<': { work: (a, b) => (a < b ? 1 : 0), gives: 'bool' },
  '>': { work: (a, b) => (a > b ? 1 : 0), gives: 'bool' },
  '<=': { work: (a, b) => (a <= b ? 1 : 0), gives: 'bool' },
  '>=': { work: (a, b) => (a >= b ? 1 : 0), gives: 'bool' },
  '==': { work: (a, b) => (a === b ? 1 : 0), gives: 'bool' },
  '!=': { work: (a, b) => (a !== b ? 1 : 0), gives: 'bool' },
};

export const CONSTANTS: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
};

/** A dtype for the outcome of a function, by what it is given. */
export function givenDtype(gives: ElementFunction['gives'], dtype: ComputedDtype): ComputedDtype {
  if (gives === 'bool') return 'bool';
  if (gives === 'same') return dtype === 'bool' ? 'int64' : dtype;
  return dtype.startsWith('float') ? dtype : 'float64';
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}
