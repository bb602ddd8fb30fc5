import { callTool, silentLogger } from '@atoll-mcp/core';
import { contract } from './contract.ts';
import type { EmbeddingService } from './service.ts';

type Body = Record<string, unknown>;
type VectorArguments = { normalize?: boolean; dimensions?: number; encoding?: string; input_type?: string };

/** The tools as methods, with no server: each returns the same body that a client would get, failures included. */
export class CortexTools {
  readonly #service: EmbeddingService;

  constructor(service: EmbeddingService) {
    this.#service = service;
  }

  embeddingGenerate(args: { text: string } & VectorArguments): Promise<Body> {
    return this.#call('embedding.generate', args);
  }

  embeddingBatch(args: { texts: readonly string[] } & VectorArguments): Promise<Body> {
    return this.#call('embedding.batch', args);
  }

  embeddingSimilarity(args: { query: string; texts: readonly string[]; normalize?: boolean }): Promise<Body> {
    return this.#call('embedding.similarity', args);
  }

  embeddingTokens(args: { texts: readonly string[] }): Promise<Body> {
    return this.#call('embedding.tokens', args);
  }

  modelInfo(): Promise<Body> {
    return this.#call('model.info', {});
  }

  healthStatus(): Promise<Body> {
    return this.#call('health.status', {});
  }

  async #call(name: string, args: object): Promise<Body> {
    const tool = contract.tools.find((each) => each.name === name)!;
    const { structuredContent } = await callTool(contract, tool, args, {
      service: this.#service,
      signal: new AbortController().signal,
      client: { id: 'local' },
      log: silentLogger,
      now: () => new Date(),
      progress: () => {},
    });
    // Every body of this contract is an object; its schemas say so.
    return structuredContent as Body;
  }
}
