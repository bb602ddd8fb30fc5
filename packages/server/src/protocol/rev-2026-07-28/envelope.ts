import { INVALID_PARAMS, isObject, type Json, ProtocolFault, UNSUPPORTED_VERSION } from '@atoll-mcp/core';
import { isLogLevel, META, MODERN_VERSIONS } from '../shared/revisions.ts';

/** What each request says about its sender. */
export interface RequestEnvelope {
  readonly version: string;
  readonly capabilities: Json;
  readonly clientInfo: { readonly name?: string; readonly version?: string };
  readonly logLevel: string | undefined;
}

/** A message belongs to the modern era when it says so, and only then. */
export function claimsModernEra(params: Json | undefined): boolean {
  const meta = params?._meta;
  return isObject(meta) && META.protocolVersion in meta;
}

/** The envelope of a request that claims to have one, or what is wrong with it: it is never read as an older message. */
export function readEnvelope(params: Json | undefined): RequestEnvelope | ProtocolFault {
  const meta = isObject(params?._meta) ? params._meta : {};
  const version = meta[META.protocolVersion];
  const capabilities = meta[META.clientCapabilities];
  const info = meta[META.clientInfo];
  const logLevel = meta[META.logLevel];
  if (typeof version !== 'string') return badEnvelope(META.protocolVersion, 'must be the revision as a string');
  if (!isObject(capabilities)) {
    return badEnvelope(META.clientCapabilities, capabilities === undefined ? 'missing' : 'must be an object');
  }
  if (info !== undefined && !isImplementation(info)) {
    return badEnvelope(META.clientInfo, 'must be an object with name and version');
  }
  if (logLevel !== undefined && !isLogLevel(logLevel)) return badEnvelope(META.logLevel, 'is not a log level');
  if (!(MODERN_VERSIONS as readonly string[]).includes(version)) return unsupportedVersion(version);
  return { version, capabilities, clientInfo: info ?? {}, logLevel };
}

function isImplementation(info: unknown): info is { name: string; version: string } {
  return isObject(info) && typeof info.name === 'string' && typeof info.version === 'string';
}

export function badEnvelope(key: string, problem: string): ProtocolFault {
  return new ProtocolFault(INVALID_PARAMS, `Invalid _meta of a ${MODERN_VERSIONS[0]} request: ${key}: ${problem}`, {
    envelope: { key, problem },
  });
}

export function unsupportedVersion(requested: string): ProtocolFault {
  return new ProtocolFault(UNSUPPORTED_VERSION, `Unsupported protocol version: ${requested}`, {
    supported: [...MODERN_VERSIONS],
    requested,
  });
}
