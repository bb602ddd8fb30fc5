import type { Comparison, PartChange, ToolChange } from './compare.ts';
import { type Suspicion, visible } from './suspicions.ts';

const SIGNS: Readonly<Record<ToolChange['kind'], string>> = { added: '+', removed: '-', changed: '~', renamed: '>' };
const CONTEXT = 60;
const MAX_SHOWN = 600;

/** A comparison as lines for a terminal. Text of the server cannot steer the terminal or hide. */
export function describeChanges({ server, tools }: Comparison): string[] {
  return [...server.flatMap((part) => partLines(part, '  ')), ...tools.flatMap(toolLines)];
}

export function describeSuspicions(suspicions: readonly Suspicion[]): string[] {
  return suspicions.map(({ tool, message }) => `  ! ${visible(tool)}: ${message}`);
}

function toolLines({ kind, tool, formerly, parts }: ToolChange): string[] {
  const name = formerly === undefined ? visible(tool) : `${visible(formerly)} -> ${visible(tool)}`;
  return [`  ${SIGNS[kind]} ${name} (${kind})`, ...parts.flatMap((part) => partLines(part, '      '))];
}

function partLines({ part, before, after }: PartChange, indent: string): string[] {
  const what = `${indent}${visible(part)}`;
  if (before === undefined && after === undefined) return [`${what} changed`];
  const [old, fresh] = changedParts(before ?? '', after ?? '');
  return [
    `${what}:`,
    ...(before === undefined ? [] : lines(old, `${indent}  - `)),
    ...(after === undefined ? [] : lines(fresh, `${indent}  + `)),
  ];
}

/** Long texts without what both have at their beginning and end. */
function changedParts(before: string, after: string): readonly [string, string] {
  if (before.length + after.length <= MAX_SHOWN) return [before, after];
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT);
  const cut = (text: string) => {
    const to = Math.min(text.length, text.length - end + CONTEXT);
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  };
  return [cut(before), cut(after)];
}

function lines(text: string, lead: string): string[] {
  return text.split(/\r?\n|\r/).map((line) => `${lead}${visible(line)}`);
}
