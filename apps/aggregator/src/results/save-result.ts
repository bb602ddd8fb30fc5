import { type Json, parsedResult, type RawResult } from '@atoll-mcp/core';
import type { Catalog, Entry } from '../catalog/catalog.ts';
import { callValue, failureMessage } from '../code-mode/call-value.ts';
import { findBuiltIn, UPLOAD_TENSOR } from './built-in-tool.ts';
import { csvOf } from './csv.ts';
import { cannotSave, notSaved } from './errors.ts';

const KINDS = ['memory', 'tensor'] as const;
type Kind = (typeof KINDS)[number];

export interface SaveRequest {
  readonly id: string;
  readonly as: Kind;
  readonly name: string;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
}

export interface SaveOptions {
  readonly catalog: Catalog;
  /** The path of every client call: limits, metrics, audit, activity. */
  readonly call: (params: Json) => Promise<Json | RawResult>;
}

const TARGETS = {
  memory: { server: 'memorylake', tool: 'add_memory' },
  tensor: UPLOAD_TENSOR,
} as const satisfies Record<Kind, object>;

/** Stores a value with a tool that its caller may call. */
export async function saveResult(wanted: SaveRequest, value: unknown, { catalog, call }: SaveOptions) {
  const entry = targetOf(catalog, wanted.as);
  const result = parsedResult(await call({ name: entry.name, arguments: argumentsOf(wanted, value) }));
  if (result.isError === true) throw notSaved(entry.name, failureMessage(result));
  return { tool: entry.name, answer: callValue(result, entry.definition) };
}

/** Whether a view has a tool that stores results. */
export function canSave(catalog: Catalog): boolean {
  return KINDS.some((kind) => findBuiltIn(catalog, TARGETS[kind]) !== undefined);
}

function targetOf(catalog: Catalog, as: Kind): Entry {
  const found = findBuiltIn(catalog, TARGETS[as]);
  if (!found) throw cannotSave(as, TARGETS[as].tool);
  return found;
}

function argumentsOf({ as, name, description }: SaveRequest, value: unknown): Json {
  if (as === 'tensor') {
    return { name, description: description ?? 'A result of a tool, kept by Atoll', tensor_data: value };
  }
  return { name, text: textOf(name, value) };
}

function textOf(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  return name.toLowerCase().endsWith('.csv') ? csvOf(value) : JSON.stringify(value, null, 1);
}
