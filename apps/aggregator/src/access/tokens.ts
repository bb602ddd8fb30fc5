import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Principal } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import type { TokenConfig } from '../config.ts';
import { expand } from '../upstreams/expand-variables.ts';

interface KnownToken {
  readonly digest: Buffer;
  readonly principal: Principal;
}

/** Principals by token, each optionally limited to views. Only hashes of tokens are kept. */
export class Tokens {
  readonly #known: readonly KnownToken[];

  constructor(tokens: readonly TokenConfig[], single: string | undefined, env: NodeJS.ProcessEnv) {
    const named = tokens.map(({ name, token, tokenFile, views, collections, accounts, admin }) => ({
      digest: digestOf(token === undefined ? read(tokenFile ?? '') : expand(token, env)),
      principal: {
        id: name,
        ...(views && { views }),
        ...(collections && { collections }),
        ...(accounts && { accounts }),
        ...(admin && { admin }),
      },
    }));
    this.#known = single === undefined ? named : [...named, { digest: digestOf(single), principal: { id: 'token' } }];
  }

  get isEmpty(): boolean {
    return this.#known.length === 0;
  }

  /** Compare with all tokens, so that timing reveals nothing. */
  find(token: string): Principal | undefined {
    const digest = digestOf(token);
    return this.#known.filter((known) => timingSafeEqual(known.digest, digest)).at(0)?.principal;
  }
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function read(path: string): string {
  try {
    const token = readFileSync(path, 'utf8').trim();
    if (token !== '') return token;
  } catch {
    throw new ConfigError([`"tokens": cannot read ${path}`]);
  }
  throw new ConfigError([`"tokens": ${path} is empty`]);
}
