/** The keys that `predict` reads from its inputs, in the order of the code. */
export interface InputKeys {
  readonly required: readonly string[];
  /** Read with a default, so that they may be left out. */
  readonly optional: readonly string[];
}

/** Reads the keys from the code without running it; `undefined` where they can't all be known. */
export function inputKeys(code: string, language: 'python' | 'javascript'): InputKeys | undefined {
  return language === 'python' ? pythonKeys(withoutComments(code, '#')) : javascriptKeys(withoutComments(code, '//'));
}

const NAME = '[A-Za-z_$][\\w$]*';
const KEY = '(?:\'(?<single>[^\'\\\\\\n]*)\'|"(?<double>[^"\\\\\\n]*)")';

function pythonKeys(code: string): InputKeys | undefined {
  const body = /^def\s+predict\s*\(\s*([A-Za-z_]\w*)[^)]*\)[^:]*:(?<body>[\s\S]*?)(?=^\S|(?![\s\S]))/m.exec(code);
  if (!body) return undefined;
  const uses = usesOf(body.groups!.body!, body[1]!, [
    ['required', `\\s*\\[\\s*${KEY}\\s*\\](?!\\s*=[^=])`],
    ['optional', `\\s*\\.\\s*get\\s*\\(\\s*${KEY}\\s*[,)]`],
    ['required', `\\s*\\.\\s*pop\\s*\\(\\s*${KEY}\\s*\\)`],
  ]);
  return uses;
}

function javascriptKeys(code: string): InputKeys | undefined {
  const head =
    new RegExp(`function\\s+predict\\s*\\(\\s*(?<param>${NAME}|\\{[^}]*\\})\\s*\\)`).exec(code) ??
    new RegExp(`\\bpredict\\s*=\\s*(?:async\\s*)?(?:function\\s*)?\\(?\\s*(?<param>${NAME}|\\{[^}]*\\})\\s*\\)?`).exec(
      code,
    );
  if (!head) return undefined;
  const { param } = head.groups!;
  if (param!.startsWith('{')) return destructured(param!);
  return usesOf(code.slice(head.index + head[0].length), param!, [
    ['required', `\\s*\\[\\s*${KEY}\\s*\\](?!\\s*=[^=])`],
    ['required', `\\s*\\.\\s*(?<plain>${NAME})(?!\\s*(?:=[^=]|[\\w$]))`],
  ]);
}

/** Every use of the parameter must be one of these, or the keys can't be known. */
function usesOf(
  body: string,
  param: string,
  patterns: readonly (readonly ['required' | 'optional', string])[],
): InputKeys | undefined {
  const required = new Set<string>();
  const optional = new Set<string>();
  const everyUse = new RegExp(`(?<![\\w$.'"])${param.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  for (const { index } of body.matchAll(everyUse)) {
    const before = body.slice(0, index);
    const rest = body.slice(index + param.length);
    const fields = /(?:const|let|var)\s*(\{[^}]*\})\s*=\s*$/.exec(before);
    if (fields && /^\s*(?:[;\n]|$)/.test(rest)) {
      const keys = destructured(fields[1]!);
      if (!keys) return undefined;
      for (const key of keys.required) required.add(key);
      for (const key of keys.optional) optional.add(key);
      continue;
    }
    const use = patterns
      .map(([kind, pattern]) => ({ kind, match: new RegExp(`^${pattern}`).exec(rest) }))
      .find(({ match }) => match);
    if (!use) return undefined;
    const { single, double, plain } = use.match!.groups!;
    (use.kind === 'required' ? required : optional).add((single ?? double ?? plain)!);
  }
  return { required: [...required], optional: [...optional].filter((key) => !required.has(key)) };
}

/** `{ a, b: c, d = 1 }`; anything else in it, such as a rest, can't be known. */
function destructured(text: string): InputKeys | undefined {
  const required: string[] = [];
  const optional: string[] = [];
  for (const field of text
    .slice(1, -1)
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)) {
    const [, key, , fallback] = new RegExp(`^(${NAME})(\\s*:\\s*${NAME})?(\\s*=.*)?$`).exec(field) ?? [];
    if (!key) return undefined;
    (fallback ? optional : required).push(key);
  }
  return { required, optional };
}

/** Comments may mention keys of long ago. Strings are kept: the keys are in them. */
function withoutComments(code: string, sign: '#' | '//'): string {
  const strings = `"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*'`;
  const comments = sign === '#' ? '#[^\\n]*' : '//[^\\n]*|/\\*[\\s\\S]*?\\*/';
  return code.replace(new RegExp(`(${strings})|${comments}`, 'g'), (_, text?: string) => {
    if (text === undefined) return '';
    // A docstring is not code.
    return text.startsWith('"""') || text.startsWith("'''") ? '""' : text;
  });
}
