import type { Schema, Tool } from '../mcp.ts';
import { choicesOf, resolve } from '../schema.ts';

export type ProgramLanguage = 'javascript' | 'python';

export interface Suggestion {
  readonly label: string;
  readonly detail?: string;
  readonly info?: string;
  /** What is written, where it is not the label. */
  readonly apply?: string;
}

export interface Suggestions {
  /** What stands between here and the end of the text is replaced. */
  readonly from: number;
  readonly options: readonly Suggestion[];
}

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const TOOL_NAME = /\btools\.([\w$]*)$/;
const CALLED = /\btools(?:\.([\w$]+)|\[\s*(["'])(.+?)\2\s*\])\s*$/;
const OPENING = '([{';
const CLOSING = ')]}';

/** What may be written at the end of a text: names of tools after `tools.`, names of arguments in a call, values that an argument takes. */
export function completeProgram(
  text: string,
  language: ProgramLanguage,
  tools: readonly Tool[],
): Suggestions | undefined {
  const name = TOOL_NAME.exec(text);
  if (name)
    return { from: text.length - name[1]!.length, options: tools.map((tool) => suggestTool(tool)).filter(isNamed) };
  const call = callAround(text, language);
  const tool = call && tools.find((one) => one.name === call.tool);
  if (!tool) return undefined;
  const argument = text.slice(call.from);
  const value = (language === 'python' ? PYTHON_VALUE : VALUE).exec(argument);
  if (value) {
    const choices = choicesOf(fieldOf(tool, value[1]!)) ?? [];
    const options = choices.filter((choice) => typeof choice === 'string').map((label) => ({ label }));
    return options.length > 0 ? { from: text.length - value[2]!.length, options } : undefined;
  }
  const key = KEY.exec(argument);
  if (!key) return undefined;
  return { from: text.length - key[1]!.length, options: argumentsOf(tool, argument, language) };
}

const KEY = /(?:^|,)\s*([\w$]*)$/;
const VALUE = /([\w$]+)\s*:\s*["']([^"']*)$/;
const PYTHON_VALUE = /([\w$]+)\s*=\s*["']([^"']*)$/;

function suggestTool({ name, title, description }: Tool): Suggestion {
  return {
    label: name,
    ...(title && title !== name && { detail: title }),
    ...(description && { info: description.slice(0, 300) }),
  };
}

/** A name that is not an identifier cannot follow a dot. */
const isNamed = ({ label }: Suggestion) => IDENTIFIER.test(label);

function argumentsOf({ inputSchema }: Tool, written: string, language: ProgramLanguage): Suggestion[] {
  const required = new Set((inputSchema.required ?? []) as string[]);
  const fields = Object.entries((inputSchema.properties ?? {}) as Record<string, Schema>);
  const after = language === 'python' ? '=' : ': ';
  return fields
    .filter(([name]) => IDENTIFIER.test(name) && !new RegExp(`(?:^|[,\\s])${escaped(name)}\\s*[:=]`).test(written))
    .sort(([one], [other]) => Number(required.has(other)) - Number(required.has(one)))
    .map(([name, given]) => {
      const field = resolve(given, inputSchema);
      const type = typeof field.type === 'string' ? field.type : '';
      return {
        label: name,
        apply: `${name}${after}`,
        detail: required.has(name) ? `${type} *` : type,
        ...(typeof field.description === 'string' && { info: field.description }),
      };
    });
}

function fieldOf({ inputSchema }: Tool, name: string): Schema {
  const fields = (inputSchema.properties ?? {}) as Record<string, Schema>;
  return Object.hasOwn(fields, name) ? resolve(fields[name]!, inputSchema) : {};
}

/** The call of a tool whose arguments are being written, and where they begin. */
function callAround(text: string, language: ProgramLanguage): { tool: string; from: number } | undefined {
  const open = openBrackets(text);
  const innermost = open.at(-1);
  if (innermost === undefined) return undefined;
  let parenthesis = innermost;
  if (language === 'javascript') {
    // The arguments are one object, directly in the parentheses.
    parenthesis = open.at(-2) ?? -1;
    if (text[innermost] !== '{' || parenthesis < 0 || text.slice(parenthesis + 1, innermost).trim() !== '')
      return undefined;
  }
  if (text[parenthesis] !== '(') return undefined;
  const called = CALLED.exec(text.slice(0, parenthesis));
  const tool = called?.[1] ?? called?.[3];
  return tool === undefined ? undefined : { tool, from: innermost + 1 };
}

/** Where the brackets stand that are still open at the end of the text; those in strings and comments are text. */
function openBrackets(text: string): number[] {
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '"' || sign === "'" || sign === '`') at = endOfString(text, at);
    else if (sign === '#' || text.startsWith('//', at)) at = endOfLine(text, at);
    else if (OPENING.includes(sign)) open.push(at);
    else if (CLOSING.includes(sign)) open.pop();
  }
  return open;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === text[start]) return at;
  }
  return text.length;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

const escaped = (name: string) => name.replaceAll('$', '\\$');
