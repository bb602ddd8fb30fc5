import { transposed } from './arrange.ts';
import { combined, mapped, matmul } from './elementwise.ts';
import { type Expression, parseExpression } from './expression-parser.ts';
import { CONSTANTS, ELEMENT_FUNCTIONS, givenDtype, OPERATORS } from './functions.ts';
import { commonDtype, floatDtype, type Numeric, numericOf, rounded, TransformFault, tensorOf } from './numeric.ts';
import { reduced } from './reduce.ts';
import { REDUCTIONS, type Reduction } from './steps.ts';

type Names = Readonly<Record<string, Numeric>>;

/** The value of an expression over named tensors. */
export function evaluate(text: string, names: Names, maxCount: number): Numeric {
  const value = (node: Expression): Numeric => {
    switch (node.kind) {
      case 'number':
        return literal(node.value, node.isWhole);
      case 'name':
        return named(node.name, names);
      case 'unary': {
        const operand = value(node.of);
        return mapped(operand, (x) => -x, operand.dtype === 'bool' ? 'int64' : operand.dtype);
      }
      case 'binary':
        return binary(node.sign, value(node.left), value(node.right), maxCount);
      case 'call':
        return called(node.name, node.args.map(value), node.options, maxCount);
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

function binary(sign: string, a: Numeric, b: Numeric, maxCount: number): Numeric {
  if (sign === '@') return matmul(a, b, maxCount);
  const { work, gives } = OPERATORS[sign]!;
  const common = commonDtype(a, b);
  const dtype = gives === 'bool' ? 'bool' : gives === 'float' ? floatDtype(common) : common;
  const isWhole = dtype !== 'bool' && !dtype.startsWith('float');
  if (isWhole && (sign === '//' || sign === '%') && b.values.includes(0))
    throw new TransformFault(`${sign} of integers by zero; cast to a float dtype first`);
  return combined(a, b, work, dtype, maxCount);
}

type Options = Readonly<Record<string, number | boolean>>;

function called(name: string, args: readonly Numeric[], options: Options, maxCount: number): Numeric {
  const needs = (count: number, allowed: readonly string[] = []) => {
    if (args.length !== count)
      throw new TransformFault(`${name}() takes ${count} tensor(s), and ${args.length} are given`);
    const odd = Object.keys(options).find((key) => !allowed.includes(key));
    if (odd) throw new TransformFault(`${name}() has no option '${odd}'`);
  };
  if ((REDUCTIONS as readonly string[]).includes(name)) {
    needs(1, ['axis', 'keepdims']);
    return reduced(args[0]!, name as Reduction, reduceOptions(name, options));
  }
  if (Object.hasOwn(ELEMENT_FUNCTIONS, name)) {
    needs(1);
    const { work, gives } = ELEMENT_FUNCTIONS[name]!;
    return mapped(args[0]!, work, givenDtype(gives, args[0]!.dtype));
  }
  switch (name) {
    case 'minimum':
    case 'maximum': {
      needs(2);
      const pick = name === 'minimum' ? Math.min : Math.max;
      return combined(args[0]!, args[1]!, pick, undefined, maxCount);
    }
    case 'clip': {
      needs(3);
      const low = combined(args[0]!, args[1]!, Math.max, undefined, maxCount);
      return combined(low, args[2]!, Math.min, undefined, maxCount);
    }
    case 'where': {
      needs(3);
      const chosen = commonDtype(args[1]!, args[2]!);
      const mask = mapped(args[0]!, (x) => (x !== 0 ? 1 : 0), 'bool');
      const left = combined(mask, args[1]!, (m, x) => (m ? x : 0), chosen, maxCount);
      const right = combined(mask, args[2]!, (m, x) => (m ? 0 : x), chosen, maxCount);
      return combined(left, right, (x, y) => (x === 0 ? y : y === 0 ? x : x + y), chosen, maxCount);
    }
    case 'softmax': {
      needs(1, ['axis']);
      const axis = typeof options.axis === 'number' ? options.axis : -1;
      const shifted = binary('-', args[0]!, reduced(args[0]!, 'max', { axis, keepdims: true }), maxCount);
      const powers = mapped(shifted, Math.exp, floatDtype(shifted.dtype));
      return binary('/', powers, reduced(powers, 'sum', { axis, keepdims: true }), maxCount);
    }
    case 'transpose':
      needs(1);
      return numericOf(transposed(tensorOf(args[0]!), undefined));
    case 'matmul':
    case 'dot':
      needs(2);
      return matmul(args[0]!, args[1]!, maxCount);
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
  const none = Number.POSITIVE_INFINITY;
  if (method === 'l2') {
    const squares = mapped(a, (x) => x * x, 'float64');
    return divided(a, mapped(reduced(squares, 'sum', options), Math.sqrt, a.dtype), 'have no length');
  }
  const [base, scale] =
    method === 'zscore'
      ? [reduced(a, 'mean', options), reduced(a, 'std', options)]
      : [reduced(a, 'min', options), binary('-', reduced(a, 'max', options), reduced(a, 'min', options), none)];
  return divided(binary('-', a, base, none), scale, 'are all the same');
}

/** A spread of zero would make every value NaN without a word. */
function divided(a: Numeric, by: Numeric, problem: string): Numeric {
  if (by.values.includes(0)) throw new TransformFault(`values that ${problem} cannot be normalised`);
  return binary('/', a, by, Number.POSITIVE_INFINITY);
}
