import { TransformFault } from './numeric.ts';

export type Expression =
  | { readonly kind: 'number'; readonly value: number; readonly isWhole: boolean }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly sign: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly args: readonly Expression[];
      readonly options: Readonly<Record<string, number | boolean>>;
    };

const TOKEN =
  /\s*(?:(\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|\/\/|<=|>=|==|!=|[-+*/%@<>(),=]))/y;
/** How tightly a sign binds its two sides. */
const BINDING: Readonly<Record<string, number>> = {
  '<': 1,
  '>': 1,
  '<=': 1,
  '>=': 1,
  '==': 1,
  '!=': 1,
  '+': 2,
  '-': 2,
  '*': 3,
  '/': 3,
  '//': 3,
  '%': 3,
  '@': 3,
  '**': 5,
};
const UNARY = 4;
const MAX_DEPTH = 60;

interface Token {
  readonly text: string;
  readonly kind: 'number' | 'name' | 'sign' | 'end';
  readonly at: number;
}

/** Reads arithmetic as Python has it. Nothing is ever run: what is not in this grammar is refused with its place. */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  let next = 0;
  const peek = () => tokens[next]!;
  const take = () => tokens[next++]!;
  const wrong = (token: Token): TransformFault =>
    new TransformFault(
      token.kind === 'end'
        ? `the expression ${JSON.stringify(text)} ends too early`
        : `${JSON.stringify(token.text)} at ${token.at + 1} in the expression ${JSON.stringify(text)} is not understood`,
    );
  const expect = (sign: string) => {
    const token = take();
    if (token.kind !== 'sign' || token.text !== sign) throw wrong(token);
  };

  const operand = (depth: number): Expression => {
    if (depth > MAX_DEPTH) throw new TransformFault('the expression is nested too deeply');
    const token = take();
    if (token.kind === 'number')
      return { kind: 'number', value: Number(token.text), isWhole: /^\d+$/.test(token.text) };
    if (token.kind === 'name') {
      if (peek().text !== '(') return { kind: 'name', name: token.text };
      take();
      return call(token.text, depth);
    }
    if (token.text === '-') return { kind: 'unary', of: binary(UNARY, depth + 1) };
    if (token.text === '+') return binary(UNARY, depth + 1);
    if (token.text !== '(') throw wrong(token);
    const inner = binary(0, depth + 1);
    expect(')');
    return inner;
  };

  const call = (name: string, depth: number): Expression => {
    const args: Expression[] = [];
    const options: Record<string, number | boolean> = {};
    while (peek().text !== ')') {
      if (peek().kind === 'name' && tokens[next + 1]?.text === '=') {
        const key = take().text;
        take();
        options[key] = option();
      } else args.push(binary(0, depth + 1));
      if (peek().text !== ',') break;
      take();
    }
    expect(')');
    return { kind: 'call', name, args, options };
  };

  const option = (): number | boolean => {
    const sign = peek().text === '-' ? -1 : 1;
    if (sign < 0) take();
    const token = take();
    if (token.kind === 'number' && /^\d+$/.test(token.text)) return sign * Number(token.text);
    if (sign > 0 && (token.text === 'True' || token.text === 'False')) return token.text === 'True';
    throw wrong(token);
  };

  const binary = (least: number, depth: number): Expression => {
    let left = operand(depth);
    for (;;) {
      const { text: sign, kind } = peek();
      const binding = kind === 'sign' ? BINDING[sign] : undefined;
      if (binding === undefined || binding < least) return left;
      if (next > 2_000) throw new TransformFault('the expression is too long');
      take();
      // Powers bind to the right: 2 ** 3 ** 2 is 2 ** 9.
      const right = binary(sign === '**' ? UNARY : binding + 1, depth + 1);
      left = { kind: 'binary', sign, left, right };
      // Python reads a < b < c as two comparisons at once; here it has no meaning.
      if (binding === BINDING['<'] && BINDING[peek().text] === binding) throw wrong(peek());
    }
  };

  const whole = binary(0, 0);
  if (peek().kind !== 'end') throw wrong(peek());
  return whole;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (!found) {
      const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
      throw new TransformFault(
        `${JSON.stringify(text[at])} at ${at + 1} in the expression ${JSON.stringify(text)} is not understood`,
      );
    }
    const [, number, name, sign] = found;
    const kind = number !== undefined ? 'number' : name !== undefined ? 'name' : 'sign';
    const token = (number ?? name ?? sign)!;
    tokens.push({ text: token, kind, at: TOKEN.lastIndex - token.length });
  }
  tokens.push({ text: '', kind: 'end', at: end });
  return tokens;
}
