import type { IncomingHttpHeaders } from 'node:http';

/** Revisions that begin with `initialize`, newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** Revisions without a handshake, newest first. */
export const MODERN_VERSIONS = ['2026-07-28'] as const;

/** The only revisions whose messages may come in batches. */
const BATCHING = new Set<string>(['2025-03-26', '2024-11-05', '2024-10-07']);

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

export const versionHeader = (headers: IncomingHttpHeaders) => single(headers['mcp-protocol-version']);

export function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header?.trim();
}

/** The keys of `_meta` that say who sends a request. */
export const ENVELOPE: readonly string[] = [
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
];

export function isLegacyVersion(version: string): boolean {
  return (LEGACY_VERSIONS as readonly string[]).includes(version);
}

/** Revisions are dates, so their order is that of their names. */
export function namesModernEra(version: string): boolean {
  return version >= MODERN_VERSIONS[0];
}

export function negotiate(requested: unknown): string {
  return typeof requested === 'string' && isLegacyVersion(requested) ? requested : LEGACY_VERSIONS[0];
}

export function allowsBatches(version: string): boolean {
  return BATCHING.has(version);
}

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type ProtocolLogLevel = (typeof LOG_LEVELS)[number];

export function isLogLevel(level: unknown): level is ProtocolLogLevel {
  return LOG_LEVELS.includes(level as ProtocolLogLevel);
}

/** Whether a log message of `level` is at `threshold` or above. */
export function reaches(level: unknown, threshold: string): boolean {
  return LOG_LEVELS.indexOf(level as ProtocolLogLevel) >= LOG_LEVELS.indexOf(threshold as ProtocolLogLevel);
}
