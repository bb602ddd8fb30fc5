export const securityPolicies = ['strict', 'standard', 'off'] as const;
type SecurityPolicy = (typeof securityPolicies)[number];

export interface TextRules {
  /** Counted after blanks at both ends are gone. */
  readonly maxChars: number;
  readonly securityPolicy: SecurityPolicy;
}

export type TextProblem =
  | { readonly kind: 'empty' }
  | { readonly kind: 'too-long'; readonly length: number; readonly limit: number }
  | { readonly kind: 'control-character'; readonly codePoint: number }
  | { readonly kind: 'forbidden'; readonly pattern: string };

/** The text that is embedded: no blanks at its ends, and no halves of characters, which have no bytes of their own. */
export function cleanText(text: string): string {
  const trimmed = text.trim();
  return isWellFormed(trimmed) ? trimmed : Buffer.from(trimmed, 'utf8').toString('utf8');
}

/** What is wrong with a clean text, or nothing. */
export function findTextProblem(text: string, { maxChars, securityPolicy }: TextRules): TextProblem | undefined {
  if (text === '') return { kind: 'empty' };
  if (text.length > maxChars) {
    const length = countCharacters(text);
    if (length > maxChars) return { kind: 'too-long', length, limit: maxChars };
  }
  if (securityPolicy === 'off') return undefined;
  const control = CONTROL_CHARACTER.exec(text);
  if (control) return { kind: 'control-character', codePoint: control[0].charCodeAt(0) };
  const lower = text.toLowerCase();
  const pattern = FORBIDDEN[securityPolicy].find((each) => lower.includes(each));
  return pattern === undefined ? undefined : { kind: 'forbidden', pattern };
}

/** Characters as people count them in other languages too: an emoji is one, though it takes two places in a string. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const CONTROL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

const STANDARD = ['<script', 'file://', '../', '${', 'os.system'];

// `strict` is the original's list. It refuses an ellipsis and Markdown code, so it is not the default.
const FORBIDDEN = { standard: STANDARD, strict: [...STANDARD, '..', '`'] } as const;

const isWellFormed = (text: string) => !LONE_SURROGATE.test(text);
const LONE_SURROGATE = /\p{Surrogate}/u;
