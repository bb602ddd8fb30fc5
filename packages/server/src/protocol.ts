/** The protocol for programs that speak it themselves, such as the aggregator as a client of other servers. */
export { client2025 } from './protocol/rev-2025-11-25/client.ts';
export { client2026, envelopeOf } from './protocol/rev-2026-07-28/client.ts';
export { hasValidHeaderMarks, requestHeaders } from './protocol/rev-2026-07-28/client-headers.ts';
export { claimsModernEra } from './protocol/rev-2026-07-28/envelope.ts';
export type { ClientCodec, OutgoingRequest } from './protocol/shared/client-codec.ts';
export { inputRequired } from './protocol/shared/input-required.ts';
export {
  errorText,
  notificationText,
} from './protocol/shared/json-rpc.ts';
export {
  isLogLevel,
  LEGACY_VERSIONS,
  LOG_LEVELS,
  META,
  MODERN_VERSIONS,
  type ProtocolLogLevel,
  reaches,
} from './protocol/shared/revisions.ts';
export { readServerMessages, type ServerMessage } from './protocol/shared/server-messages.ts';
