import type { Json, Logger, RawResult, RequestContext } from '@atoll-mcp/core';
import { createServer } from '@atoll-mcp/server';
import { type AdminOptions, AdminService } from './admin-service.ts';
import { ADMIN_PREFIX, adminContract } from './contract.ts';
import { notPermitted } from './errors.ts';

interface AdministrationOptions extends AdminOptions {
  readonly log: Logger;
  /** Whether a caller without a token may administer. */
  readonly isOpen: boolean;
}

/**
 * Serves the tools of administration to callers who may use them: everyone on a loopback address without tokens, else tokens with
 * `admin`. They are in no catalog, so that no list, search or program reaches them.
 */
export class Administration {
  readonly #options: AdministrationOptions;
  readonly #server;

  constructor(options: AdministrationOptions) {
    this.#options = options;
    this.#server = createServer(adminContract, { service: new AdminService(options), log: options.log });
  }

  owns(name: unknown): boolean {
    return typeof name === 'string' && name.startsWith(ADMIN_PREFIX);
  }

  async call(params: Json, context: RequestContext): Promise<Json | RawResult> {
    const { isAuthenticated, isOpen } = this.#options;
    if (isAuthenticated ? context.principal?.admin !== true : !isOpen) throw notPermitted(isAuthenticated);
    return this.#server.handle('tools/call', params, context);
  }
}
