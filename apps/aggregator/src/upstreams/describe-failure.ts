import { ProtocolFault } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { UpstreamFault } from '../errors.ts';
import { MissingVariableError } from './expand-variables.ts';

/** Our own description: upstream error text is not shown to models. */
export function describeFailure(error: unknown): string {
  if (error instanceof UpstreamFault) {
    if (error.reason === 'timeout') return 'it timed out while starting';
    return error.summary;
  }
  if (error instanceof MissingVariableError || error instanceof ConfigError) return error.message;
  if (error instanceof ProtocolFault) return `it answered the handshake with error ${error.code}`;
  return 'it could not be started';
}
