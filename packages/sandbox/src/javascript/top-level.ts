/**
 * Turns `const` and `let` at the top level into `var`, so that a later call of the same session may declare the same
 * names again, as people do when they send complete programs. Text, comments and anything in brackets stay untouched.
 */
export function repeatable(code: string): string {
  let out = '';
  let depth = 0;
  for (const [token] of code.matchAll(TOKENS)) {
    if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth = Math.max(0, depth - 1);
    out += depth === 0 && (token === 'const' || token === 'let') ? 'var' : token;
  }
  return out;
}

/** Comments, strings, templates, words, white space, and any other sign by itself. */
const TOKENS =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\.|[^'\\\n])*'?|"(?:\\.|[^"\\\n])*"?|`(?:\\[\s\S]|[^`\\])*`?|\.\s*[\p{ID_Start}$_][\p{ID_Continue}$]*|[\p{ID_Start}$_][\p{ID_Continue}$]*|\s+|[\s\S]/gu;
