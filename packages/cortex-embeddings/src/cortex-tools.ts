import { callTool, silentLogger, type Tool } from '@atoll-mcp/core';
import type { z } from 'zod';
import { contract } from './contract.ts';
import type { Encoding } from './domain/vector.ts';
import type { ToolFailure } from './envelope.ts';
import type { EmbeddingService } from './service.ts';
import { embeddingBatch } from './tools/embedding-batch.ts';
import { embeddingGenerate } from './tools/embedding-generate.ts';
import { embeddingRerank } from './tools/embedding-rerank.ts';
import { embeddingSimilarity } from './tools/embedding-similarity.ts';
import { embeddingTokens } from './tools/embedding-tokens.ts';
import { embeddingVerify } from './tools/embedding-verify.ts';
import { healthStatus } from './tools/health-status.ts';
import { modelInfo } from './tools/model-info.ts';

/** What a tool answers; `'code' in result` tells a failure from a success. */
export type ToolResult<Called extends { readonly output: z.ZodType }> = z.output<Called['output']> | ToolFailure;

/** base64 is a text, everything else is numbers. */
type Vector<E extends Encoding> = E extends 'base64' ? string : number[];
type Arguments<Called extends { readonly input: z.ZodType }, E extends Encoding> = Omit<
  z.input<Called['input']>,
  'encoding'
> & { encoding?: E | undefined };
type Generated<E extends Encoding> = Omit<z.output<typeof embeddingGenerate.output>, 'embedding'> & {
  embedding: Vector<E>;
};
type GeneratedBatch<E extends Encoding> = Omit<z.output<typeof embeddingBatch.output>, 'embeddings'> & {
  embeddings: Vector<E>[];
};

/** The tools as methods, with no server: each returns the same body that a client would get, failures included. */
export class CortexTools {
  readonly #service: EmbeddingService;

  constructor(service: EmbeddingService) {
    this.#service = service;
  }

  embeddingGenerate<E extends Encoding = 'float'>(
    args: Arguments<typeof embeddingGenerate, E>,
  ): Promise<Generated<E> | ToolFailure> {
    // The vector is in the encoding that was asked for, which its schema cannot say.
    return this.#call(embeddingGenerate, args) as Promise<Generated<E> | ToolFailure>;
  }

  embeddingBatch<E extends Encoding = 'float'>(
    args: Arguments<typeof embeddingBatch, E>,
  ): Promise<GeneratedBatch<E> | ToolFailure> {
    return this.#call(embeddingBatch, args) as Promise<GeneratedBatch<E> | ToolFailure>;
  }

  embeddingSimilarity(
    args: z.input<typeof embeddingSimilarity.input>,
  ): Promise<ToolResult<typeof embeddingSimilarity>> {
    return this.#call(embeddingSimilarity, args);
  }

  embeddingRerank(args: z.input<typeof embeddingRerank.input>): Promise<ToolResult<typeof embeddingRerank>> {
    return this.#call(embeddingRerank, args);
  }

  embeddingVerify(args: z.input<typeof embeddingVerify.input>): Promise<ToolResult<typeof embeddingVerify>> {
    return this.#call(embeddingVerify, args);
  }

  embeddingTokens(args: z.input<typeof embeddingTokens.input>): Promise<ToolResult<typeof embeddingTokens>> {
    return this.#call(embeddingTokens, args);
  }

  modelInfo(args: z.input<typeof modelInfo.input> = {}): Promise<ToolResult<typeof modelInfo>> {
    return this.#call(modelInfo, args);
  }

  healthStatus(): Promise<ToolResult<typeof healthStatus>> {
    return this.#call(healthStatus, {});
  }

  async #call<Called extends Tool<EmbeddingService>>(tool: Called, args: object): Promise<ToolResult<Called>> {
    const { structuredContent } = await callTool(contract, tool, args, {
      service: this.#service,
      signal: new AbortController().signal,
      client: { id: 'local' },
      log: silentLogger,
      now: () => new Date(),
      progress: () => {},
    });
    // Every body of this contract is an object that fits its schema or that of a failure.
    return structuredContent as ToolResult<Called>;
  }
}

/** The name that the original gives it. */
export const CortexPyMCPTools = CortexTools;
