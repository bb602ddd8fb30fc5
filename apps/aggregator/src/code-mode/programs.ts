import { join } from 'node:path';
import type { Json, Logger, RequestContext } from '@atoll-mcp/core';
import type { Entry } from '../catalog/catalog.ts';
import type { AggregatorConfig } from '../config.ts';
import { type TableTensorRequest, tensorFromTables } from '../results/from-memory-tables.ts';
import { LargeResults, type ReadRequest } from '../results/large-results.ts';
import { ResultStore } from '../results/result-store.ts';
import { type SaveRequest, saveResult } from '../results/save-result.ts';
import type { SuspendedCalls } from '../upstreams/bridge/suspended-calls.ts';
import type { Router } from '../views/router.ts';
import type { Views } from '../views/views.ts';
import { CodeMode, type RunToolsInput } from './code-mode.ts';
import { LearnedShapes } from './learned-shapes.ts';
import type { Answer } from './program-answer.ts';
import { Sandboxes } from './sandboxes.ts';
import { declarationOf } from './typescript.ts';

interface ProgramsOptions {
  readonly config: AggregatorConfig;
  readonly log: Logger;
  readonly suspended: SuspendedCalls;
  readonly views: () => Views;
  readonly router: () => Router;
}

/** Limit of a program's value where the view has none. */
const DEFAULT_VALUE_BYTES = 65_536;

/** Programs that call tools, the results they and other callers keep, and the types they are written with. */
export class Programs {
  readonly results: LargeResults;
  readonly #views: () => Views;
  readonly #router: () => Router;
  readonly #sandboxes: Sandboxes;
  readonly #shapes: LearnedShapes;
  readonly #codeMode: CodeMode;

  constructor({ config, log, suspended, views, router }: ProgramsOptions) {
    this.#views = views;
    this.#router = router;
    const callerOf = (context: RequestContext) => callerIn(views().of(context).name, context);
    this.results = new LargeResults(new ResultStore(), callerOf);
    this.#sandboxes = new Sandboxes(config.callsPerProgram);
    this.#shapes = new LearnedShapes(join(config.dataDir, 'aggregator', 'tool-shapes.json'), log);
    this.#codeMode = new CodeMode({
      sandboxes: this.#sandboxes,
      suspended,
      callerOf,
      bounded: (value, context) => this.results.boundedValue(value, this.#maxBytes(context), context),
      host: {
        viewOf: (context) => views().of(context),
        find: (view, name) => router().find(view, name),
        call: (view, params, context, program) => router().call(view, params, context, program),
        readResult: (args, context) => this.results.read(readRequestOf(args), Number.POSITIVE_INFINITY, context),
        learn: (entry, value) => this.#learn(entry, value),
      },
    });
  }

  run(input: RunToolsInput, request: RequestContext): Promise<Answer> {
    return this.#codeMode.run(input, request);
  }

  readResult(request: ReadRequest, context: RequestContext) {
    return this.results.read(request, this.#views().of(context).maxResultBytes, context);
  }

  saveResult(wanted: SaveRequest, context: RequestContext) {
    const view = this.#views().of(context);
    const call = (params: Json) => this.#router().call(view, params, context);
    return saveResult(wanted, this.results.part(wanted, context), { catalog: view.catalog, call });
  }

  fromMemoryTables(wanted: TableTensorRequest, context: RequestContext) {
    const view = this.#views().of(context);
    const call = (params: Json) => this.#router().call(view, params, context);
    return tensorFromTables(wanted, { catalog: view.catalog, call });
  }

  /** A tool of the caller; waits for servers that are starting if necessary. */
  find(name: string, context: RequestContext): Promise<Entry | undefined> {
    return this.#router()
      .find(this.#views().of(context), name)
      .catch(() => undefined);
  }

  /** The declaration of a tool in TypeScript. */
  async declare({ name, ownName, definition, member }: Entry): Promise<string> {
    const learned = definition.outputSchema ? undefined : await this.#shapes.of(member.supervisor.key, ownName);
    return declarationOf(definition, name, learned);
  }

  /** Starts a sandbox in the background. */
  prepare(): void {
    this.#sandboxes.prepare();
  }

  apply({ callsPerProgram }: AggregatorConfig): void {
    this.#sandboxes.callsPerProgram = callsPerProgram;
  }

  async close(): Promise<void> {
    await this.#codeMode.close();
    await this.#shapes.save();
  }

  #maxBytes(context: RequestContext): number {
    return this.#views().of(context).maxResultBytes || DEFAULT_VALUE_BYTES;
  }

  #learn({ member, ownName, definition }: Entry, value: unknown): void {
    if (!member.isOwn && !definition.outputSchema) this.#shapes.learn(member.supervisor.key, ownName, value);
  }
}

/** The owner of programs and results: a caller in one view. */
function callerIn(view: string | undefined, { principal, client }: RequestContext): string {
  return JSON.stringify([principal ? 'principal' : 'client', principal?.id ?? client.id, view ?? null]);
}

/** Arguments of read_result in a program; its schema has checked them. */
const readRequestOf = (args: Json) => args as unknown as ReadRequest;
