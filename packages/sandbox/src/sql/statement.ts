/** The first word of a statement, after white space and comments. */
const LEADING = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$))*/;
const READING = new Set(['SELECT', 'WITH', 'VALUES']);

/**
 * Why a statement is not run, or nothing. Only statements that read are; a WITH that goes on to write is stopped by the
 * database itself, which is read-only by then.
 */
export function statementProblem(sql: string): string | undefined {
  const [first, rest] = firstWord(sql);
  if (first === '') return 'The statement is empty';
  const word = first === 'EXPLAIN' ? firstWord(rest.replace(/^\s*QUERY\s+PLAN\b/i, ''))[0] : first;
  return READING.has(word)
    ? undefined
    : `Only SELECT, WITH, VALUES and EXPLAIN statements are allowed, not ${word || first}`;
}

/** Whether nothing but white space, comments and semicolons is left. */
export const isNothing = (sql: string) =>
  sql
    .replace(LEADING, '')
    .replace(/^[;\s]*/, '')
    .replace(LEADING, '') === '';

function firstWord(sql: string): [string, string] {
  const text = sql
    .replace(LEADING, '')
    .replace(/^[;\s]*/, '')
    .replace(LEADING, '');
  const word = /^[a-z_]+/i.exec(text)?.[0] ?? text.slice(0, 1);
  return [word.toUpperCase(), text.slice(word.length)];
}
