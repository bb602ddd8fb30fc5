import { transposed } from './arrange.ts';
import { combined, mapped, matmul, productCount } from './elementwise.ts';
import { type Expression, parseExpression } from './expression-parser.ts';
import { CONSTANTS, ELEMENT_FUNCTIONS, givenDtype, OPERATORS } from './functions.ts';
import { commonDtype, floatDtype, type Numeric, numericOf, rounded, TransformFault, tensorOf } from './numeric.ts';
import { reduced, reducedCount } from './reduce.ts';
import { REDUCTIONS, type Reduction } from './steps.ts';
import { MAX_LIVE, Workspace } from './workspace.ts';

type Names = Readonly<Record<string, Numeric>>;

/** The value of an expression over named tensors. */
export function evaluate(text: string, names: Names, maxCount: number, maxLive = MAX_LIVE): Numeric {
  const distinct = new Set(Object.values(names).map(({ values }) => values));
  const space = new Workspace(
    [...distinct].reduce((sum, { length }) => sum + length, 0),
    maxCount,
    maxLive,
  );
  const value = (node: Expression): Numeric => {
    switch (node.kind) {
      case 'number':
        return literal(node.value, node.isWhole);
      case 'name':
        return named(node.name, names);
      case 'unary': {
        const operand = value(node.of);
        return space.mapped(operand, (x) => -x, operand.dtype === 'bool' ? 'int64' : operand.dtype);
      }
      case 'binary':
        return binary(space, node.sign, value(node.left), value(node.right), maxCount);
      case 'call':
        return called(space, node.name, node.args.map(value), node.options, maxCount);
    }
  };
  const result = value(parseExpression(text));
  return { dtype: result.dtype, shape: result.shape, values: result.values };
}

function literal(value: number, isWhole: boolean): Numeric {
  return { dtype: isWhole ? 'int64' : 'float64', shape: [], values: Float64Array.of(value), isLiteral: true };
}

function named(name: string, names: Names): Numeric {
  if (Object.hasOwn(names, name)) return names[name]!;
  if (Object.hasOwn(CONSTANTS, name)) return literal(CONSTANTS[name]!, false);
  throw new TransformFault(
    `unknown name '${name}' in the expression; known are ${[...Object.keys(names), ...Object.keys(CONSTANTS)].join(', ')}`,
  );
}

function binary(space: Workspace, sign: string, a: Numeric, b: Numeric, maxCount: number): Numeric {
  if (sign === '@') return product(space, a, b, maxCount);
  const { work, gives } = OPERATORS[sign]!;
  const common = commonDtype(a, b);
  const dtype = gives === 'bool' ? 'bool' : gives === 'float' ? floatDtype(common) : common;
  const isWhole = dtype !== 'bool' && !dtype.startsWith('float');
  if (isWhole && (sign === '//' || sign === '%') && b.values.includes(0))
    throw new TransformFault(`${sign} of integers by zero; cast to a float dtype first`);
  return space.combined(a, b, work, { dtype });
}

/** The size of the result is checked first by the product itself. */
const product = (space: Workspace, a: Numeric, b: Numeric, maxCount: number) =>
  space.made([a, b], Math.min(productCount(a, b), maxCount), 0, () => matmul(a, b, maxCount));

type Options = Readonly<Record<string, number | boolean>>;

function called(space: Workspace, name: string, args: readonly Numeric[], options: Options, maxCount: number): Numeric {
  const needs = (count: number, allowed: readonly string[] = []) => {
    if (args.length !== count)
      throw new TransformFault(`${name}() takes ${count} tensor(s), and ${args.length} are given`);
    const odd = Object.keys(options).find((key) => !allowed.includes(key));
    if (odd) throw new TransformFault(`${name}() has no option '${odd}'`);
  };
  if ((REDUCTIONS as readonly string[]).includes(name)) {
    needs(1, ['axis', 'keepdims']);
    const [input] = args as [Numeric];
    const wanted = reduceOptions(name, options);
    return space.made([input], reducedCount(input, wanted.axis), 0, () => reduced(input, name as Reduction, wanted));
  }
  if (Object.hasOwn(ELEMENT_FUNCTIONS, name)) {
    needs(1);
    const { work, gives } = ELEMENT_FUNCTIONS[name]!;
    return space.mapped(args[0]!, work, givenDtype(gives, args[0]!.dtype));
  }
  switch (name) {
    case 'minimum':
    case 'maximum': {
      needs(2);
      const pick = name === 'minimum' ? Math.min : Math.max;
      return space.combined(args[0]!, args[1]!, pick);
    }
    case 'clip': {
      needs(3);
      const low = space.combined(args[0]!, args[1]!, Math.max);
      return space.combined(low, args[2]!, Math.min);
    }
    case 'where': {
      needs(3);
      const dtype = commonDtype(args[1]!, args[2]!);
      const mask = space.mapped(args[0]!, (x) => (x !== 0 ? 1 : 0), 'bool');
      const left = space.combined(mask, args[1]!, (m, x) => (m ? x : 0), { dtype, keepsFirst: true });
      const right = space.combined(mask, args[2]!, (m, x) => (m ? 0 : x), { dtype });
      return space.combined(left, right, (x, y) => (x === 0 ? y : y === 0 ? x : x + y), { dtype });
    }
    case 'softmax': {
      needs(1, ['axis']);
      const [input] = args as [Numeric];
      const axis = typeof options.axis === 'number' ? options.axis : -1;
      const along = (of: Numeric, kind: Reduction) =>
        space.kept(reducedCount(of, axis), () => reduced(of, kind, { axis, keepdims: true }));
      const shifted = binary(space, '-', input, along(input, 'max'), maxCount);
      const powers = space.mapped(shifted, Math.exp, floatDtype(shifted.dtype));
      return binary(space, '/', powers, along(powers, 'sum'), maxCount);
    }
    case 'transpose':
      needs(1);
      return space.made([args[0]!], args[0]!.values.length, 2, () =>
        numericOf(transposed(tensorOf(args[0]!), undefined)),
      );
    case 'matmul':
    case 'dot':
      needs(2);
      return product(space, args[0]!, args[1]!, maxCount);
    default:
      throw new TransformFault(`unknown function '${name}'; known are ${functionNames().join(', ')}`);
  }
}

function functionNames(): string[] {
  const more = ['minimum', 'maximum', 'clip', 'where', 'softmax', 'transpose', 'matmul'];
  return [...REDUCTIONS, ...Object.keys(ELEMENT_FUNCTIONS), ...more];
}

function reduceOptions(name: string, { axis, keepdims }: Options) {
  if (typeof axis === 'boolean' || typeof keepdims === 'number')
    throw new TransformFault(`${name}() takes a number as axis and True or False as keepdims`);
  return { axis, keepdims };
}

/** Zero mean and unit spread, the range from 0 to 1, or unit length; over all values or along an axis. */
export function normalised(input: Numeric, method: 'zscore' | 'minmax' | 'l2', axis: number | undefined): Numeric {
  const options = { axis, keepdims: true };
  const a = rounded(floatDtype(input.dtype), input.shape, input.values.slice());
  if (method === 'l2') {
    const squares = mapped(a, (x) => x * x, 'float64');
    return divided(a, mapped(reduced(squares, 'sum', options), Math.sqrt, a.dtype), 'have no length');
  }
  const [base, scale] =
    method === 'zscore'
      ? [reduced(a, 'mean', options), reduced(a, 'std', options)]
      : [reduced(a, 'min', options), combined(reduced(a, 'max', options), reduced(a, 'min', options), minus)];
  return divided(combined(a, base, minus, undefined, { place: a.values }), scale, 'are all the same');
}

const minus = (a: number, b: number) => a - b;

/** In place. A spread of zero would make every value NaN without a word. */
function divided(a: Numeric, by: Numeric, problem: string): Numeric {
  if (by.values.includes(0)) throw new TransformFault(`values that ${problem} cannot be normalised`);
  return combined(a, by, (x, y) => x / y, floatDtype(commonDtype(a, by)), { place: a.values });
}
