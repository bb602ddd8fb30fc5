import type { PinnedServer, PinnedTool } from './definition.ts';

/** One difference of a tool, such as its description or one argument. A missing side did not exist. */
export interface PartChange {
  readonly part: string;
  readonly before?: string;
  readonly after?: string;
}

export interface ToolChange {
  readonly kind: 'added' | 'removed' | 'changed' | 'renamed';
  readonly tool: string;
  /** Its former name, if renamed. */
  readonly formerly?: string;
  readonly parts: readonly PartChange[];
}

export interface Comparison {
  /** Differences of the server itself; the first two mean that it is another server. */
  readonly server: readonly PartChange[];
  readonly isOtherServer: boolean;
  readonly tools: readonly ToolChange[];
}

/** What is different now from what was pinned. */
export function compare(pinned: PinnedServer, now: PinnedServer): Comparison {
  const source = pinned.source !== now.source;
  const name = now.name !== undefined && pinned.name !== now.name;
  return {
    server: [
      ...(source ? [{ part: 'command or address in the configuration' }] : []),
      ...(name ? [change('name of the server', pinned.name, now.name)] : []),
      ...(now.version !== pinned.version ? [change('version', pinned.version, now.version)] : []),
    ],
    isOtherServer: source || name,
    tools: pinned.hash === now.hash ? [] : toolChanges(pinned.tools, now.tools),
  };
}

function toolChanges(before: PinnedServer['tools'], after: PinnedServer['tools']): ToolChange[] {
  const gone = Object.keys(before).filter((tool) => !Object.hasOwn(after, tool));
  const changes: ToolChange[] = [];
  for (const [tool, now] of Object.entries(after)) {
    const then = Object.hasOwn(before, tool) ? before[tool] : undefined;
    if (then?.hash === now.hash) continue;
    if (then) {
      changes.push({ kind: 'changed', tool, parts: partChanges(then, now) });
      continue;
    }
    const formerly = gone.find((name) => isSame(before[name] as PinnedTool, now));
    if (formerly === undefined) {
      changes.push({ kind: 'added', tool, parts: partChanges({ hash: '' }, now).filter(isReadable) });
      continue;
    }
    gone.splice(gone.indexOf(formerly), 1);
    changes.push({ kind: 'renamed', tool, formerly, parts: partChanges(before[formerly] as PinnedTool, now) });
  }
  return [...changes, ...gone.map((tool) => ({ kind: 'removed' as const, tool, parts: [] }))];
}

/** A tool under another name: all of it, or at least its description, is as before. */
function isSame(a: PinnedTool, b: PinnedTool): boolean {
  return (
    a.hash === b.hash || (a.description !== undefined && a.description.length > 20 && a.description === b.description)
  );
}

function partChanges(before: PinnedTool, after: PinnedTool): PartChange[] {
  const parts: PartChange[] = [];
  const add = (part: string, then: unknown, now: unknown) => {
    const [a, b] = [asText(then), asText(now)];
    if (a !== b) parts.push(change(part, a, b));
  };
  add('title', before.title, after.title);
  add('description', before.description, after.description);
  for (const name of keysOf(before.arguments, after.arguments)) {
    add(`argument ${name}`, argumentOf(before, name), argumentOf(after, name));
  }
  for (const name of keysOf(before.annotations, after.annotations)) {
    add(`annotation ${name}`, before.annotations?.[name], after.annotations?.[name]);
  }
  if (before.answer !== after.answer) parts.push({ part: 'schema of the answer' });
  if (before.rest !== after.rest) parts.push({ part: 'other fields' });
  return parts.length > 0 || before.hash === after.hash ? parts : [{ part: 'definition' }];
}

const isReadable = ({ before, after }: PartChange) => before !== undefined || after !== undefined;

function keysOf(before: object = {}, after: object = {}): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

function argumentOf(tool: PinnedTool, name: string): string | undefined {
  if (!tool.arguments || !Object.hasOwn(tool.arguments, name)) return undefined;
  return `${JSON.stringify(tool.arguments[name])}${tool.required?.includes(name) ? ' (required)' : ''}`;
}

function asText(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

function change(part: string, before: string | undefined, after: string | undefined): PartChange {
  return { part, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}
