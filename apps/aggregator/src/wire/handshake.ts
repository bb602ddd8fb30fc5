import { setTimeout as delay } from 'node:timers/promises';
import { type Era, type Json, ProtocolFault } from '@atoll-mcp/core';
import { UpstreamFault } from '../errors.ts';
import { isObject } from './message.ts';
import { LATEST_LEGACY, META, MODERN, MODERN_ERRORS } from './protocol.ts';
import type { RpcClient } from './rpc-client.ts';

export interface Handshake {
  readonly era: Era;
  readonly protocolVersion: string;
  readonly serverInfo: Json;
  readonly capabilities: Json;
  readonly instructions?: string;
}

export interface HandshakeOptions {
  readonly era: Era | 'auto';
  readonly clientInfo: Json;
  readonly startTimeoutMs: number;
  /** On a pipe a question may be met with silence, so it needs a second one beside it; HTTP always answers. */
  readonly sharesOneLine: boolean;
}

/** What we say we can do to a legacy upstream: all its callers together may be able to. Each question is checked again. */
const OFFERED: Json = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } };

/** A server that answers a ping but not this has never heard of it. */
const SILENCE_MS = 300;
/** A server that answers neither is begun with as of old, so that one which knows only `initialize` need not wait. */
const PATIENCE_MS = 2_500;

export async function shakeHands(client: RpcClient, options: HandshakeOptions): Promise<Handshake> {
  if (options.era === 'legacy') return initialize(client, options);
  const discovered = await discover(client, options);
  if (discovered) return discovered;
  if (options.era === 'modern') throw new ProtocolFault(-32603, `It does not speak ${MODERN}`);
  return initialize(client, options);
}

/** The modern greeting; `undefined` when the server turns out to be of the older era. */
async function discover(client: RpcClient, options: HandshakeOptions): Promise<Handshake | undefined> {
  const timeoutMs = options.startTimeoutMs;
  const meta = { [META.protocolVersion]: MODERN, [META.clientInfo]: options.clientInfo, [META.clientCapabilities]: {} };
  const asked = client.request('server/discover', { _meta: meta }, { timeoutMs }).then(
    ({ value }) => readDiscovery(value),
    (error: unknown) => {
      // Only a modern server knows these errors; any other refusal is that of an older one.
      if (isRefusal(error) && !MODERN_ERRORS.has(error.code)) return undefined;
      throw error;
    },
  );
  if (options.era === 'modern' || !options.sharesOneLine) return asked;
  asked.catch(() => {});
  const stop = new AbortController();
  const silence = client
    .request('ping', {}, { timeoutMs })
    .catch((error: unknown) => {
      if (!isRefusal(error)) throw error;
    })
    .then(() => delay(SILENCE_MS, undefined, { signal: stop.signal }));
  silence.catch(() => {});
  const patience = delay(PATIENCE_MS, undefined, { signal: stop.signal });
  patience.catch(() => {});
  try {
    return await Promise.race([asked, silence.catch(() => asked), patience]);
  } finally {
    stop.abort();
  }
}

function readDiscovery(value: Json): Handshake | undefined {
  const versions = Array.isArray(value.supportedVersions) ? value.supportedVersions : [];
  if (!versions.includes(MODERN)) return undefined;
  return { era: 'modern', protocolVersion: MODERN, ...identityOf(value) };
}

async function initialize(client: RpcClient, options: HandshakeOptions): Promise<Handshake> {
  const params = { protocolVersion: LATEST_LEGACY, capabilities: OFFERED, clientInfo: options.clientInfo };
  const { value } = await client.request('initialize', params, { timeoutMs: options.startTimeoutMs });
  client.notify('notifications/initialized', {});
  const protocolVersion = typeof value.protocolVersion === 'string' ? value.protocolVersion : LATEST_LEGACY;
  return { era: 'legacy', protocolVersion, ...identityOf(value) };
}

function identityOf(value: Json): Pick<Handshake, 'serverInfo' | 'capabilities' | 'instructions'> {
  return {
    serverInfo: isObject(value.serverInfo) ? value.serverInfo : {},
    capabilities: isObject(value.capabilities) ? value.capabilities : {},
    ...(typeof value.instructions === 'string' && { instructions: value.instructions }),
  };
}

/** The server's own "no", as opposed to a failure of the connection. */
function isRefusal(error: unknown): error is ProtocolFault {
  return error instanceof UpstreamFault ? error.reason === 'refused' : error instanceof ProtocolFault;
}
