import { readFile } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { isObject, type Json, type Logger } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import type { Link, Upstream } from './interface.ts';
import { apiAddress } from './openapi/api-address.ts';
import { SecuritySchemes } from './openapi/credentials.ts';
import { readDocument } from './openapi/document.ts';
import { HttpExchange } from './openapi/exchange.ts';
import { OpenApiLink } from './openapi/openapi-link.ts';
import { operationsOf } from './openapi/operations.ts';

export interface OpenApiOptions {
  readonly name: string;
  /** File or URL of the document. */
  readonly openapi: string;
  readonly baseUrl: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Security scheme → secret. */
  readonly auth: Readonly<Record<string, string>>;
  readonly allowPrivateAddress: boolean;
  readonly followRedirects: boolean;
  readonly maxMessageBytes: number;
  readonly startTimeoutMs: number;
  readonly log: Logger;
}

const MAX_DOCUMENT_BYTES = 20_000_000;
const MAX_INSTRUCTION_CHARS = 1_000;

/** An HTTP API whose operations become tools, by its OpenAPI document. */
export class OpenApiUpstream implements Upstream {
  readonly kind = 'openapi';
  readonly #options: OpenApiOptions;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  async open(_events: unknown, signal: AbortSignal): Promise<Link> {
    const { name, openapi, headers, auth, log } = this.#options;
    const { document, problem } = await readDocument(await this.#read(signal), openapi);
    if (problem !== undefined) log.warn('OpenAPI document is not valid', { upstream: name, problem });
    const base = apiAddress(document, this.#options);
    const schemes = new SecuritySchemes(document, auth);
    const info: Json = isObject(document.info) ? document.info : {};
    const { title, version, description } = info;
    return new OpenApiLink({
      name,
      serverInfo: { name: String(title ?? name), version: String(version ?? '') },
      instructions: typeof description === 'string' ? description.slice(0, MAX_INSTRUCTION_CHARS) : undefined,
      operations: operationsOf(document),
      base,
      headers,
      schemes,
      exchange: new HttpExchange(this.#options),
    });
  }

  async #read(signal: AbortSignal): Promise<string> {
    const { openapi, startTimeoutMs } = this.#options;
    if (!/^https?:\/\//i.test(openapi)) {
      try {
        return await readFile(resolvePath(openapi), 'utf8');
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        throw new ConfigError([`${openapi} cannot be read (${code ?? 'unknown error'})`]);
      }
    }
    const exchange = new HttpExchange({ ...this.#options, maxMessageBytes: MAX_DOCUMENT_BYTES });
    try {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(startTimeoutMs)]);
      const accept = { accept: 'application/json, application/yaml, */*;q=0.5' };
      const { status, body } = await exchange.send({
        method: 'GET',
        url: new URL(openapi),
        headers: accept,
        signal: deadline,
      });
      if (status !== 200) throw new ConfigError([`the OpenAPI document cannot be fetched: HTTP ${status}`]);
      return body.toString('utf8');
    } finally {
      exchange.close();
    }
  }
}
