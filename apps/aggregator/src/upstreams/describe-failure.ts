import { ConfigError, ProtocolFault } from '@atoll-mcp/core';
import { UpstreamFault } from '../errors.ts';
import { MissingVariableError } from './expand-variables.ts';

/** In our own words: what an upstream says of its failure is not for models. */
export function describeFailure(error: unknown): string {
  if (error instanceof UpstreamFault) {
    if (error.reason === 'timeout') return 'it did not answer in time when it was started';
    return error.summary;
  }
  if (error instanceof MissingVariableError || error instanceof ConfigError) return error.message;
  if (error instanceof ProtocolFault) return `it answered its greeting with error ${error.code}`;
  return 'it could not be started';
}
