import { isObject, type Json, type Outcome, parsedResult, RawResult, type RequestContext } from '@atoll-mcp/core';
import { unknownResult } from './errors.ts';
import { structureOf } from './json-text.ts';
import { outlineOf } from './outline.ts';
import { readPath } from './read-path.ts';
import { type ReadPart, readPart } from './read-result.ts';
import { type KeptResult, RESULT_TTL_MS, type ResultStore } from './result-store.ts';

const RESULTS_URI = 'atoll://results/';
const HEAD_CHARS = 2_000;
/** Limit of a read_result response where the view has none. */
const DEFAULT_READ_BYTES = 65_536;

export interface ReadRequest {
  readonly id: string;
  readonly range?: string | undefined;
  readonly path?: string | undefined;
}

/** Stores results that are too large for their caller, and returns their beginning, shape and a link instead. */
export class LargeResults {
  readonly #store: ResultStore;
  readonly #ownerOf: (context: RequestContext) => string;

  constructor(store: ResultStore, ownerOf: (context: RequestContext) => string) {
    this.#store = store;
    this.#ownerOf = ownerOf;
  }

  /** The outcome of a call, or its summary if it is larger than the limit. Pictures and links stay. */
  bounded(outcome: Outcome, maxBytes: number, context: RequestContext, value: (result: Json) => unknown): Outcome {
    if (outcome instanceof Error || isSmall(outcome, maxBytes)) return outcome;
    const result = parsedResult(outcome);
    if (result.resultType === 'input_required' || sizeOf(result) <= maxBytes) return outcome;
    const { isError, _meta } = result;
    const others = blocksOf(result).filter(
      (block) => !isObject(block) || (block.type !== 'text' && block.type !== 'resource'),
    );
    const { summary, link } = this.#summarized(value(result), context);
    return {
      content: [{ type: 'text', text: JSON.stringify(summary) }, ...link, ...others],
      structuredContent: summary,
      ...(isError !== undefined && { isError }),
      ...(_meta !== undefined && { _meta }),
    };
  }

  /** The same for a value alone. */
  boundedValue(value: unknown, maxBytes: number, context: RequestContext): unknown {
    const bytes = Buffer.byteLength(JSON.stringify(value) ?? 'null');
    return bytes <= maxBytes ? value : this.#summarized(value, context).summary;
  }

  /** A part of a kept result, at most so large. */
  read({ id, range, path }: ReadRequest, maxBytes: number, context: RequestContext): ReadPart & { size_bytes: number } {
    const { sizeBytes } = this.#found(id, context);
    const part = this.part({ id, path }, context);
    return { ...readPart(part, range, maxBytes || DEFAULT_READ_BYTES), size_bytes: sizeBytes };
  }

  /** A kept result, or what is at a path in it, complete. */
  part({ id, path }: Pick<ReadRequest, 'id' | 'path'>, context: RequestContext): unknown {
    const { value } = this.#found(id, context);
    if (path === undefined || path === '') return value;
    return readPath((typeof value === 'string' ? structureOf(value) : undefined) ?? value, path);
  }

  /** `atoll://results/{id}`, if the request reads such a resource. */
  resource(method: string, { uri }: Json, context: RequestContext): Json | undefined {
    if (method !== 'resources/read' || typeof uri !== 'string' || !uri.startsWith(RESULTS_URI)) return undefined;
    const found = this.#store.find(this.#ownerOf(context), uri.slice(RESULTS_URI.length));
    if (!found) return undefined;
    return { contents: [{ uri, mimeType: mimeTypeOf(found), text: found.text }] };
  }

  #found(id: string, context: RequestContext): KeptResult {
    const found = this.#store.find(
      this.#ownerOf(context),
      id.startsWith(RESULTS_URI) ? id.slice(RESULTS_URI.length) : id,
    );
    if (!found) throw unknownResult();
    return found;
  }

  #summarized(value: unknown, context: RequestContext): { summary: Json; link: Json[] } {
    const isJson = typeof value !== 'string';
    const text = isJson ? (JSON.stringify(value) ?? 'null') : value;
    const size = Buffer.byteLength(text);
    const id = this.#store.keep(this.#ownerOf(context), { text, isJson });
    const shared = { size_bytes: size, shape: shapeOf(value), head: text.slice(0, HEAD_CHARS) };
    if (id === undefined) {
      const note = 'The answer is too large to be returned or kept; ask for less, or call the tool in run_tools';
      return { summary: { note, ...shared }, link: [] };
    }
    const uri = `${RESULTS_URI}${id}`;
    const note = `The answer is too large and was kept for ${RESULT_TTL_MS / 60_000} minutes. read_result {id, path?, range?} reads on, save_result stores it; programs of run_tools read it complete`;
    const link = { type: 'resource_link', uri, name: `result ${id}`, mimeType: mimeTypeOf({ isJson }), size };
    return { summary: { note, result_id: id, uri, ...shared }, link: [link] };
  }
}

/** Of a text of JSON, what it says, and the path that reads it so. */
function shapeOf(value: unknown): string {
  const structure = typeof value === 'string' ? structureOf(value) : undefined;
  return structure === undefined ? outlineOf(value) : `JSON text; as path "$": ${outlineOf(structure)}`;
}

/** What a model would read of a result: structured content and text are mostly the same, so the larger counts. */
function sizeOf(result: Json): number {
  const blocks = blocksOf(result).map((block) => (isObject(block) ? bytesOf(block) : 0));
  const text = blocks.reduce((sum, bytes) => sum + bytes, 0);
  const { structuredContent } = result;
  return structuredContent === undefined ? text : Math.max(text, Buffer.byteLength(JSON.stringify(structuredContent)));
}

const isSmall = (outcome: Json | RawResult, maxBytes: number) =>
  outcome instanceof RawResult && Buffer.byteLength(outcome.text) <= maxBytes;

function bytesOf({ type, text, resource }: Json): number {
  if (type === 'text' && typeof text === 'string') return Buffer.byteLength(text);
  return type === 'resource' ? Buffer.byteLength(JSON.stringify(resource) ?? '') : 0;
}

const blocksOf = ({ content }: Json): readonly unknown[] => (Array.isArray(content) ? content : []);
const mimeTypeOf = ({ isJson }: { isJson: boolean }) => (isJson ? 'application/json' : 'text/plain');
