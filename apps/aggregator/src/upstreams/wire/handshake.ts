import { setTimeout as delay } from 'node:timers/promises';
import {
  type Era,
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  isObject,
  type Json,
  MISSING_CAPABILITY,
  ProtocolFault,
  UNSUPPORTED_VERSION,
} from '@atoll-mcp/core';
import { envelopeOf, LEGACY_VERSIONS, META, MODERN_VERSIONS } from '@atoll-mcp/server/protocol';
import { UpstreamFault } from '../../errors.ts';
import type { RpcClient } from './rpc-client.ts';

export interface Handshake {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: Json;
  readonly capabilities: Json;
  readonly instructions?: string;
}

interface HandshakeOptions {
  readonly era: Era | 'auto';
  readonly clientInfo: Json;
  readonly startTimeoutMs: number;
  /** On stdio an unknown request may stay unanswered, so a ping is sent beside it; HTTP always answers. */
  readonly isMultiplexed: boolean;
}

const [MODERN] = MODERN_VERSIONS;
const [LATEST_LEGACY] = LEGACY_VERSIONS;
/** Error codes that only modern servers use. */
const MODERN_ERRORS: ReadonlySet<number> = new Set([HEADER_MISMATCH, MISSING_CAPABILITY, UNSUPPORTED_VERSION]);

/** Capabilities advertised to legacy upstreams: the union of what callers may have. Each server request is checked again. */
const OFFERED: Json = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

/** A server that answers a ping but not the handshake does not know it. */
const PING_GRACE_MS = 300;
/** One that answers neither gets `initialize` as well: it may be legacy, or slow to start. */
const DISCOVER_WAIT_MS = 2_500;

export async function negotiate(client: RpcClient, options: HandshakeOptions): Promise<Handshake> {
  if (options.era === 'legacy') return initialize(client, options);
  const discovered = discover(client, options);
  if (options.era === 'modern') return (await discovered) ?? notModern();
  discovered.catch(() => {});
  const isDecided = options.isMultiplexed ? await hasDecided(discovered, client, options) : true;
  if (isDecided) return (await discovered) ?? initialize(client, options);
  const late = discovered.then((handshake) => handshake ?? notModern());
  // Report the last of two rejections.
  return Promise.any([late, initialize(client, options)]).catch((error: AggregateError) => {
    throw error.errors.at(-1);
  });
}

function notModern(): never {
  throw new ProtocolFault(INTERNAL_ERROR, `It does not speak ${MODERN}`);
}

/** The modern handshake; `undefined` if the server is legacy. */
async function discover(client: RpcClient, options: HandshakeOptions): Promise<Handshake | undefined> {
  try {
    const { value } = await client.request(
      'server/discover',
      { _meta: envelopeOf(options.clientInfo) },
      patient(options),
    );
    return readDiscovery(value);
  } catch (error) {
    // Only modern servers use these error codes; any other rejection is a legacy server's.
    if (isRefusal(error) && !MODERN_ERRORS.has(error.code)) return undefined;
    throw error;
  }
}

/** On stdio the handshake may stay unanswered; a ping tells an unresponsive server from a slow one. */
async function hasDecided(
  discovered: Promise<unknown>,
  client: RpcClient,
  options: HandshakeOptions,
): Promise<boolean> {
  const stop = new AbortController();
  const wait = async (ms: number) => {
    await delay(ms, undefined, { signal: stop.signal });
    return false;
  };
  // It carries the modern envelope too; otherwise servers of both eras would treat us as legacy.
  const silence = client.request('ping', { _meta: envelopeOf(options.clientInfo) }, patient(options)).then(
    () => wait(PING_GRACE_MS),
    (error: unknown) => (isRefusal(error) ? wait(PING_GRACE_MS) : true),
  );
  const patience = wait(DISCOVER_WAIT_MS);
  for (const waiting of [silence, patience]) waiting.catch(() => {});
  const answered = discovered.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([answered, silence, patience]);
  } finally {
    stop.abort();
  }
}

const patient = ({ startTimeoutMs }: HandshakeOptions) => ({ timeoutMs: startTimeoutMs });

function readDiscovery(value: Json): Handshake | undefined {
  const versions = Array.isArray(value.supportedVersions) ? value.supportedVersions : [];
  if (!versions.includes(MODERN)) return undefined;
  return { era: 'modern', protocolVersion: MODERN, ...identityOf(value) };
}

/** The legacy handshake. */
export async function initialize(client: RpcClient, options: HandshakeOptions): Promise<Handshake> {
  const params = { protocolVersion: LATEST_LEGACY, capabilities: OFFERED, clientInfo: options.clientInfo };
  const { value } = await client.request('initialize', params, { timeoutMs: options.startTimeoutMs });
  client.notify('notifications/initialized', {});
  const protocolVersion = typeof value.protocolVersion === 'string' ? value.protocolVersion : LATEST_LEGACY;
  return { era: 'legacy', protocolVersion, ...identityOf(value) };
}

function identityOf(value: Json): Pick<Handshake, 'serverInfo' | 'capabilities' | 'instructions'> {
  // The final wording of 2026-07-28 moved it into `_meta`.
  const meta = isObject(value._meta) ? value._meta : {};
  const serverInfo = value.serverInfo ?? meta[META.serverInfo];
  return {
    serverInfo: isObject(serverInfo) ? serverInfo : {},
    capabilities: isObject(value.capabilities) ? value.capabilities : {},
    ...(typeof value.instructions === 'string' && { instructions: value.instructions }),
  };
}

/** An error sent by the server, as opposed to a connection failure. */
function isRefusal(error: unknown): error is ProtocolFault {
  return error instanceof UpstreamFault ? error.reason === 'refused' : error instanceof ProtocolFault;
}
