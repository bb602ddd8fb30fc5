import { type Authenticate, bearerOf } from '@atoll-mcp/core';
import type { OAuthResource } from './oauth.ts';
import type { Tokens } from './tokens.ts';

/** What a challenge of ours begins with. It says whose door this is, to those without a key too. */
export const CHALLENGE = 'Bearer realm="atoll"';

/** Lets in whoever carries a known token or one of the issuer's; nobody has to when neither is configured. */
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
      return { status: 403, message: 'This token is not good for enough', challenge: challenge('insufficient_scope') };
    }
    if (known !== 'invalid') return known;
    return { status: 401, message: 'This token is not valid here', challenge: challenge('invalid_token') };
  };
}
