import { type Authenticate, bearerOf } from '@atoll-mcp/server';
import type { OAuthResource } from './oauth.ts';
import type { Tokens } from './tokens.ts';

/** Start of our `WWW-Authenticate` challenge; it identifies Atoll to unauthenticated clients. */
export const CHALLENGE = 'Bearer realm="atoll"';

/** Accepts configured tokens and tokens of the issuer; undefined if neither is configured. */
export function authenticateWith(tokens: Tokens, oauth: OAuthResource | undefined): Authenticate | undefined {
  if (tokens.isEmpty && !oauth) return undefined;
  const challenge = (error?: string) => {
    const parts = [
      CHALLENGE,
      ...(error ? [`error="${error}"`] : []),
      ...(oauth ? [`resource_metadata="${oauth.metadataUrl}"`] : []),
      ...(oauth && oauth.scopes.length > 0 ? [`scope="${oauth.scopes.join(' ')}"`] : []),
    ];
    return parts.join(', ');
  };
  return async (request) => {
    const token = bearerOf(request);
    if (token === undefined) {
      return { status: 401, message: 'Send "Authorization: Bearer <token>"', challenge: challenge() };
    }
    const known = tokens.find(token) ?? (await oauth?.check(token)) ?? 'invalid';
    if (known === 'insufficient') {
      return { status: 403, message: 'Insufficient scope', challenge: challenge('insufficient_scope') };
    }
    if (known !== 'invalid') return known;
    return { status: 401, message: 'This token is not valid here', challenge: challenge('invalid_token') };
  };
}
