import type { Tool } from '../lib/mcp.ts';

export interface PageProps {
  readonly tools: readonly Tool[];
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
}

export function has(tools: readonly Tool[], name: string): boolean {
  return tools.some((tool) => tool.name === name);
}
