import type { IncomingMessage } from 'node:http';
import type { Logger, Principal } from '@atoll-mcp/core';
import type { HttpRoute } from './route.ts';

export interface HttpServeOptions {
  /** Default: loopback. Any other address needs a token or `authenticate`. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  readonly log?: Logger;
  readonly routes?: readonly HttpRoute[];
  readonly authToken?: string;
  /** Authenticates other callers, for programs with more than one token. */
  readonly authenticate?: Authenticate;
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Names beside loopback and this machine's own addresses that a Host or Origin header may carry. */
  readonly allowedHosts?: readonly string[];
  readonly maxBodyBytes?: number;
  /** Of all bodies that are being received, and at least two of the largest. */
  readonly maxBodiesBytes?: number;
  readonly maxHeaderBytes?: number;
  /** How long a caller may take to send a whole request. */
  readonly requestTimeoutMs?: number;
  readonly maxSessions?: number;
  /** Of all callers; each has a fair share of them. */
  readonly maxSubscriptions?: number;
  readonly sessionIdleMs?: number;
  /** Interval of keep-alive comments on silent streams. */
  readonly keepAliveMs?: number;
  /** How long running requests may take when the server closes. */
  readonly graceMs?: number;
  /** Number of rejections that nothing handled; any degrades the health. */
  readonly unhandledRejections?: () => number;
  /** Where the app keeps its data; the health is degraded when it is gone or its disk is full. */
  readonly dataDir?: string;
}

/** What an app may bring to HTTP besides answering. */
export interface HttpExtras {
  readonly routes?: readonly HttpRoute[];
  readonly authenticate?: Authenticate;
}

export interface HttpServer {
  /** Where `/mcp` is, with the port that was really taken. */
  readonly url: string;
  readonly port: number;
  /** Rejects new requests and gives running ones ten seconds. */
  close(): Promise<void>;
}

/** Returns the sender of a request, or why it is rejected. */
export type Authenticate = (
  request: IncomingMessage,
) => Principal | AuthRefusal | undefined | Promise<Principal | AuthRefusal | undefined>;

export interface AuthRefusal {
  readonly status: 401 | 403;
  readonly message: string;
  /** For `WWW-Authenticate`; `Bearer` when left out. */
  readonly challenge?: string;
}

export type Settings = Required<Omit<HttpServeOptions, 'authToken' | 'authenticate' | 'tls' | 'dataDir'>> &
  Pick<HttpServeOptions, 'dataDir'>;

export const DEFAULTS = {
  host: '127.0.0.1',
  port: 0,
  routes: [],
  allowedHosts: [],
  maxBodyBytes: 64 * 1024 * 1024,
  maxBodiesBytes: 256 * 1024 * 1024,
  maxHeaderBytes: 16 * 1024,
  requestTimeoutMs: 120_000,
  maxSessions: 1000,
  maxSubscriptions: 1024,
  sessionIdleMs: 30 * 60_000,
  keepAliveMs: 15_000,
  graceMs: 10_000,
  unhandledRejections: () => 0,
} as const;
