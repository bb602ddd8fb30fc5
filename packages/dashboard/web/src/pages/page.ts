import type { ComponentType } from 'preact';
import type { Tool } from '../lib/mcp.ts';

export interface PageProps {
  readonly tools: readonly Tool[];
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  /** For a page that shows something before the tools are known: they may be asked for now. */
  readonly onReady: () => void;
}

export type View = ComponentType<PageProps>;

export function has(tools: readonly Tool[], name: string): boolean {
  return find(tools, name) !== undefined;
}

/** Behind a prefix, too: the endpoint takes the plain name of such a tool as well. */
export function find(tools: readonly Tool[], name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name.endsWith(name));
}
