import { readFile, stat } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import type { Link, Upstream } from './interface.ts';
import { apiAddress } from './openapi/api-address.ts';
import { SecuritySchemes } from './openapi/credentials.ts';
import { HttpExchange } from './openapi/exchange.ts';
import { OpenApiLink } from './openapi/openapi-link.ts';
import { readApi } from './openapi/read-api.ts';

interface OpenApiOptions {
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
const MAX_TITLE_CHARS = 200;

/** An HTTP API whose operations become tools, by its OpenAPI document. */
export class OpenApiUpstream implements Upstream {
  readonly kind = 'openapi';
  readonly #options: OpenApiOptions;

  constructor(options: OpenApiOptions) {
    this.#options = options;
  }

  async open(_events: unknown, signal: AbortSignal): Promise<Link> {
    const { name, openapi, headers, auth, startTimeoutMs, log } = this.#options;
    const text = await this.#read(signal);
    const api = await readApi({ name, text, where: openapi, timeoutMs: startTimeoutMs, signal, log });
    const base = apiAddress(api.server, this.#options);
    const schemes = new SecuritySchemes(api.securitySchemes, auth);
    const { title, version, description } = api.info;
    return new OpenApiLink({
      name,
      serverInfo: { name: textOf(title) ?? name, version: textOf(version) ?? '' },
      instructions: typeof description === 'string' ? description.slice(0, MAX_INSTRUCTION_CHARS) : undefined,
      operations: api.operations,
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
        return await readOwnFile(resolvePath(openapi), signal);
      } catch (error) {
        if (error instanceof ConfigError) throw error;
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

async function readOwnFile(path: string, signal: AbortSignal): Promise<string> {
  const about = await stat(path);
  // Neither a device nor a pipe, which may never end.
  if (!about.isFile()) throw new ConfigError([`${path} is not a file`]);
  if (about.size > MAX_DOCUMENT_BYTES) {
    throw new ConfigError([`${path} is larger than ${MAX_DOCUMENT_BYTES / 1_000_000} MB`]);
  }
  return readFile(path, { encoding: 'utf8', signal });
}

function textOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return String(value).slice(0, MAX_TITLE_CHARS);
}
