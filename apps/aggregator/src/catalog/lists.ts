import { isObject, type Json, METHOD_NOT_FOUND, ProtocolFault } from '@atoll-mcp/core';
import { hasValidHeaderMarks } from '@atoll-mcp/server/protocol';
import type { Link } from '../upstreams/interface.ts';

/** Everything an upstream lists, unchanged. */
export interface Lists {
  readonly tools: readonly Json[];
  readonly prompts: readonly Json[];
  readonly resources: readonly Json[];
  readonly templates: readonly Json[];
}

export type ListName = keyof Lists;

export const NO_LISTS: Lists = { tools: [], prompts: [], resources: [], templates: [] };

const SOURCES: Readonly<Record<ListName, { method: string; field: string; capability: string; key: string }>> = {
  tools: { method: 'tools/list', field: 'tools', capability: 'tools', key: 'name' },
  prompts: { method: 'prompts/list', field: 'prompts', capability: 'prompts', key: 'name' },
  resources: { method: 'resources/list', field: 'resources', capability: 'resources', key: 'uri' },
  templates: {
    method: 'resources/templates/list',
    field: 'resourceTemplates',
    capability: 'resources',
    key: 'uriTemplate',
  },
};

export const LIST_METHODS: ReadonlyMap<string, { list: ListName; field: string; key: string }> = new Map(
  (Object.entries(SOURCES) as [ListName, (typeof SOURCES)[ListName]][]).map(([list, { method, field, key }]) => [
    method,
    { list, field, key },
  ]),
);

/** Upper bounds for a server whose list never ends. */
const MAX_PAGES = 500;
const MAX_ITEMS = 20_000;

/**
 * What an upstream lists when it is opened. The resources of a server in this process are read on
 * demand: listing them opens its storage, and most sessions never need them.
 */
export async function fetchLists(link: Link, timeoutMs: number): Promise<Lists> {
  const [tools, prompts, resources, templates] = await Promise.all([
    fetchList(link, 'tools', timeoutMs),
    fetchList(link, 'prompts', timeoutMs),
    link.app ? [] : fetchList(link, 'resources', timeoutMs),
    fetchList(link, 'templates', timeoutMs),
  ]);
  return { tools, prompts, resources, templates };
}

/** Every page of a list, each item once. */
export async function fetchList(link: Link, list: ListName, timeoutMs: number): Promise<readonly Json[]> {
  const { method, field, capability, key } = SOURCES[list];
  if (link.capabilities[capability] === undefined) return [];
  const items = new Map<string, Json>();
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && items.size < MAX_ITEMS; page++) {
    const result = await askForPage(link, method, cursor, timeoutMs);
    const found = Array.isArray(result[field]) ? result[field] : [];
    for (const item of found) {
      if (isObject(item) && typeof item[key] === 'string' && !items.has(item[key])) items.set(item[key], item);
    }
    const next = result.nextCursor;
    if (typeof next !== 'string' || seen.has(next)) break;
    seen.add(next);
    cursor = next;
  }
  const all = [...items.values()];
  return list === 'tools' && link.era === 'modern' ? all.filter(hasValidHeaderMarks) : all;
}

async function askForPage(link: Link, method: string, cursor: string | undefined, timeoutMs: number): Promise<Json> {
  try {
    return await link.ask(method, cursor === undefined ? {} : { cursor }, timeoutMs);
  } catch (error) {
    if (error instanceof ProtocolFault && error.code === METHOD_NOT_FOUND) return {};
    throw error;
  }
}
