import { REDACTED, SECRET_NAME } from './redact.ts';

/** `${NAME}` and `Bearer ${NAME}` say where a secret is, and hold none. */
const isVariable = (value: string) => /^((Bearer|Basic|token) )?\$\{[^}]+\}$/i.test(value);
const hidden = (value: string) => (value === '' || isVariable(value) ? value : REDACTED);

const isSecretName = (name: string) => SECRET_NAME.test(name.replace(/^-+/, ''));

/** The values of a map of which any may be a secret. */
export function redactValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, hidden(value)]));
}

/** Arguments of a program without what is named as a secret or looks like one; each stays in its place. */
export function redactArgs(args: readonly string[]): string[] {
  return args.map((arg, at) => {
    const before = args[at - 1] ?? '';
    const isValue = /^--?[a-z]/i.test(before) && !before.includes('=') && isSecretName(before);
    return isValue && !/^--?[a-z]/i.test(arg) ? hidden(arg) : redactText(arg);
  });
}

/** Keys of well-known services, JSON Web Tokens, and what follows "Bearer". */
const SECRETS =
  /\b(?:sk|pk|rk)[-_][\w-]{12,}|\b(?:gh[opsur]|github_pat|glpat|xox[abeprs]|npm|hf)[-_]\w[\w-]{11,}|\bAKIA[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{10,2000}\.[\w-]{1,4000}\.[\w-]*/g;
/** `name=value`, also in the query of an address, and `Name: value`, as headers are given. */
const NAMED = /(^|[\s?&;#,"'])(-{0,2}[\w.-]{1,80})(\s*=\s*|\s*:\s+|:(?=\$\{|Bearer |Basic ))([^&#;\s"'][^&#;"']*)/g;

/** A text, such as an argument or an address, without the secrets in it. */
export function redactText(text: string): string {
  return text
    .replace(/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)([^\s/?#]{0,2000})@/gi, (_whole, scheme: string, user: string) =>
      isVariable(user) ? `${scheme}${user}@` : `${scheme}${REDACTED}@`,
    )
    .replace(NAMED, (whole, before: string, name: string, sign: string, value: string) =>
      isSecretName(name) || /^key$/i.test(name) ? `${before}${name}${sign}${hidden(value)}` : whole,
    )
    .replace(/\b(Bearer|Basic) (?!\$\{|\[)[\w.~+/=-]{8,}/g, `$1 ${REDACTED}`)
    .replace(SECRETS, REDACTED);
}

/** A text as it was before it was redacted; undefined where the original cannot be told. */
export function restoreText(edited: string, present: string | undefined): string | undefined {
  if (!edited.includes(REDACTED) || edited === present) return edited;
  return present !== undefined && redactText(present) === edited ? present : undefined;
}

/** Arguments as they were before they were redacted, also where others were added, removed or moved. */
export function restoreArgs(edited: readonly string[], present: readonly string[]): string[] | undefined {
  const shown = redactArgs(present);
  const used = new Set<number>();
  const restored: string[] = [];
  for (const [at, arg] of edited.entries()) {
    if (!arg.includes(REDACTED)) {
      restored.push(arg);
      continue;
    }
    const isSame = (index: number) => shown[index] === arg;
    const follows = (index: number) =>
      isSame(index) && !used.has(index) && (shown[index - 1] ?? '') === (edited[at - 1] ?? '');
    const places = [...shown.keys()];
    const moved = () => (arg === REDACTED ? undefined : onlyOne(places.filter(isSame)));
    const found = follows(at) ? at : (places.find(follows) ?? moved());
    if (found === undefined || used.has(found)) return undefined;
    used.add(found);
    restored.push(present[found] as string);
  }
  return restored;
}

const onlyOne = (places: readonly number[]) => (places.length === 1 ? places[0] : undefined);
