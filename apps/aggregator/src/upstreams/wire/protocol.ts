/** Protocol constants that the aggregator needs. */
export const MODERN = '2026-07-28';
export const LATEST_LEGACY = '2025-11-25';

export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

export const METHOD_NOT_FOUND = -32601;
export const UNSUPPORTED_VERSION = -32022;
/** Error codes that only modern servers use. */
export const MODERN_ERRORS: ReadonlySet<number> = new Set([-32020, -32021, UNSUPPORTED_VERSION]);

/** The client capability that each server request needs. */
export const CAPABILITY_OF: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
]);

/** The requests during which a server may send requests. */
export const MAY_ASK: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Results that modern clients may cache. */
export const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

export const LOG_LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LogLevelName = (typeof LOG_LEVELS)[number];

export const CHANGES: ReadonlyMap<string, 'tools' | 'resources' | 'prompts'> = new Map([
  ['notifications/tools/list_changed', 'tools'],
  ['notifications/resources/list_changed', 'resources'],
  ['notifications/prompts/list_changed', 'prompts'],
]);
