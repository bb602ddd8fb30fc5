import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, ProtocolFault } from '@atoll-mcp/core';
import { loginCommand } from './login/account.ts';

/** Why the upstream itself did not answer a request. */
type Reason =
  | 'down'
  | 'disabled'
  | 'lost'
  | 'timeout'
  | 'busy'
  | 'unreachable'
  | 'refused'
  | 'limited'
  | 'held-back'
  | 'unanswered';

/** A failure reported by Atoll, not by the upstream; `data.atoll` distinguishes the two. */
export class UpstreamFault extends ProtocolFault {
  readonly reason: Reason;
  /** Short description, without the upstream's name. */
  readonly summary: string;

  constructor(
    upstream: string,
    reason: Reason,
    message: string,
    details: Record<string, unknown> = {},
    summary = message,
  ) {
    super(INTERNAL_ERROR, message, { atoll: { upstream, reason, ...details } });
    this.reason = reason;
    this.summary = summary;
  }
}

export const upstreamDown = (upstream: string, why: string, retryAfterMs?: number) =>
  new UpstreamFault(
    upstream,
    'down',
    `The server "${upstream}" is not available: ${why}. ${
      retryAfterMs === undefined
        ? 'It is retried automatically'
        : `It is retried in ${Math.ceil(retryAfterMs / 1000)} s`
    }; atoll_status shows when it is back.`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  );

export const upstreamDisabled = (upstream: string) =>
  new UpstreamFault(upstream, 'disabled', `The server "${upstream}" is disabled in Atoll's configuration.`);

export const notReading = (upstream: string) =>
  new UpstreamFault(
    upstream,
    'busy',
    `The server "${upstream}" does not read what it is sent, and too much waits for it. The call was not sent.`,
  );

export const callLost = (upstream: string, why: string) =>
  new UpstreamFault(
    upstream,
    'lost',
    `The server "${upstream}" disconnected before it answered: ${why}. The call was not retried, because it may have had effects.`,
    {},
    why,
  );

export const callTimedOut = (upstream: string, timeoutMs: number) =>
  new UpstreamFault(
    upstream,
    'timeout',
    `The server "${upstream}" did not answer within ${timeoutMs} ms; the call was cancelled.`,
    {
      timeoutMs,
    },
  );

export const upstreamUnreachable = (upstream: string, why: string) =>
  new UpstreamFault(upstream, 'unreachable', `The server "${upstream}" could not be reached: ${why}.`, {}, why);

/** The request was not delivered, so a retry is safe. */
export const notDelivered = (upstream: string, why: string) =>
  new UpstreamFault(upstream, 'unanswered', `The server "${upstream}" could not be asked: ${why}.`, {}, why);

export const upstreamRefused = (upstream: string, status: number, retryAfterMs?: number) =>
  new UpstreamFault(
    upstream,
    status === 429 ? 'busy' : 'refused',
    status === 429
      ? `The server "${upstream}" is rate limiting (HTTP 429); retry later.`
      : `The server "${upstream}" refused the request with HTTP ${status}.`,
    retryAfterMs === undefined ? { status } : { status, retryAfterMs },
    `it answered HTTP ${status}`,
  );

export const loginRequired = (upstream: string) =>
  new UpstreamFault(
    upstream,
    'refused',
    `The server "${upstream}" needs a login (HTTP 401); a person can run "${loginCommand(upstream)}".`,
    { status: 401 },
    `it needs a login: run "${loginCommand(upstream)}"`,
  );

export const cannotAsk = (method: string) =>
  new ProtocolFault(METHOD_NOT_FOUND, `The calling client does not take "${method}" requests`);

export const unclearQuestion = () =>
  new ProtocolFault(
    INTERNAL_ERROR,
    'Several clients have calls in flight, so the request cannot be attributed to one of them',
  );

/** `advice` says where the caller finds the right name. */
export const unknownTool = (name: string, near: readonly string[], advice: string) =>
  new ProtocolFault(
    INVALID_PARAMS,
    `Unknown tool "${name}"${near.length > 0 ? `; did you mean ${near.join(', ')}?` : ';'} ${advice}`,
  );

/** A problem is why nothing can be compared, such as an unreadable lock file. */
export function toolHeldBack(
  name: string,
  { key, pin }: { readonly key: string; readonly pin?: { readonly report: { readonly problem?: string } } | undefined },
) {
  const problem = pin?.report.problem;
  const why =
    problem === undefined
      ? `its definition is new or changed since the server "${key}" was pinned. A person can look at it with "atoll diff ${key}" and approve it with "atoll pin ${key}".`
      : `the definitions of the server "${key}" cannot be compared: ${problem}.`;
  return new UpstreamFault(key, 'held-back', `The tool "${name}" is held back: ${why}`);
}

export const unknownPrompt = (name: string) =>
  new ProtocolFault(INVALID_PARAMS, `Unknown prompt "${name}"; prompts/list shows all prompts`);

export const unknownResource = (uri: string, code: number) =>
  new ProtocolFault(code, 'Unknown resource; resources/list shows all resources', { uri });

export const badCursor = () => new ProtocolFault(INVALID_PARAMS, 'Invalid cursor; start again without a cursor');

export const badRequestState = () =>
  new ProtocolFault(INVALID_PARAMS, 'Unknown or expired requestState; start the call again');

export const tooManyCalls = (retryAfterMs: number) =>
  new ProtocolFault(INTERNAL_ERROR, `Too many calls; try again in ${Math.ceil(retryAfterMs / 1000)} s`, {
    atoll: { reason: 'limited', retryAfterMs },
  });

export const badLogLevel = () =>
  new ProtocolFault(INVALID_PARAMS, 'level must be a log level of the protocol, such as "info"');
