import { createHash } from 'node:crypto';
import { isObject, type Json } from '@atoll-mcp/core';
import { z } from 'zod';

const json = z.record(z.string(), z.unknown());

/** A tool as it was pinned: a hash of everything but its name, and what a readable comparison needs. */
const pinnedToolSchema = z.object({
  hash: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  /** Argument → its schema. */
  arguments: json.optional(),
  required: z.array(z.string()).optional(),
  annotations: json.optional(),
  /** Hashes of the schema of the answer, and of everything not named above. */
  answer: z.string().optional(),
  rest: z.string().optional(),
});

export const pinnedServerSchema = z.object({
  /** Hash of the command or address in the configuration. */
  source: z.string(),
  /** What the server calls itself. */
  name: z.string().optional(),
  version: z.string().optional(),
  /** Hash of the set of tools. */
  hash: z.string(),
  tools: z.record(z.string(), pinnedToolSchema),
});

export type PinnedTool = z.output<typeof pinnedToolSchema>;
export type PinnedServer = z.output<typeof pinnedServerSchema>;

/** Beyond this only hashes are kept: a server must not fill the lock file. */
const MAX_DETAIL_CHARS = 1_000_000;

export type PinnedDefinitions = Pick<PinnedServer, 'hash' | 'tools'>;

/** What is pinned of a server. */
export function pinOf(source: unknown, { name, version }: Json, definitions: PinnedDefinitions): PinnedServer {
  return {
    source: hashOf(source),
    ...(typeof name === 'string' && { name }),
    ...(typeof version === 'string' && { version }),
    ...definitions,
  };
}

/** What is pinned of a list of tools. */
export function definitionsOf(definitions: readonly Json[]): PinnedDefinitions {
  const tools: Record<string, PinnedTool> = Object.create(null);
  for (const definition of [...definitions].sort(byName)) {
    if (typeof definition.name === 'string') tools[definition.name] = pinnedTool(definition);
  }
  const hashes = Object.entries(tools).map(([tool, { hash }]) => [tool, hash]);
  const hasDetails = JSON.stringify(tools).length <= MAX_DETAIL_CHARS;
  return {
    hash: hashOf(hashes),
    tools: hasDetails ? tools : Object.fromEntries(Object.entries(tools).map(([tool, { hash }]) => [tool, { hash }])),
  };
}

export function hashOf(value: unknown): string {
  return `sha256-${createHash('sha256')
    .update(JSON.stringify(sorted(value) ?? null))
    .digest('base64')}`;
}

function pinnedTool(definition: Json): PinnedTool {
  const { name: _name, title, description, inputSchema, outputSchema, annotations, ...rest } = definition;
  const input = isObject(inputSchema) ? inputSchema : {};
  const { properties, required, ...more } = input;
  const others = { ...rest, inputSchema: more };
  return {
    hash: hashOf({ ...definition, name: undefined }),
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(isObject(properties) && Object.keys(properties).length > 0 && { arguments: sorted(properties) as Json }),
    ...(Array.isArray(required) && required.length > 0 && { required: required.map(String).sort() }),
    ...(isObject(annotations) && { annotations: sorted(annotations) as Json }),
    ...(outputSchema !== undefined && { answer: hashOf(outputSchema) }),
    rest: hashOf(others),
  };
}

/** The same value with the keys of every object in order, so that equal definitions have equal text. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}

const byName = (a: Json, b: Json) => (String(a.name) < String(b.name) ? -1 : 1);
