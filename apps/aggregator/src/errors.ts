import { ProtocolFault } from '@atoll-mcp/core';

const INTERNAL = -32603;

/** Why a request to an upstream got no answer of the upstream's own. */
export type Reason =
  | 'down'
  | 'disabled'
  | 'lost'
  | 'timeout'
  | 'busy'
  | 'unreachable'
  | 'refused'
  | 'limited'
  | 'unanswered';

/** A failure of ours, not of the upstream: `data.atoll` keeps the two apart. */
export class UpstreamFault extends ProtocolFault {
  readonly reason: Reason;
  /** What happened, in words that fit behind a colon. */
  readonly summary: string;

  constructor(
    upstream: string,
    reason: Reason,
    message: string,
    details: Record<string, unknown> = {},
    summary = message,
  ) {
    super(INTERNAL, message, { atoll: { upstream, reason, ...details } });
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
        ? 'It will be tried again by itself'
        : `It is tried again in ${Math.ceil(retryAfterMs / 1000)} s`
    }; atoll_status shows when it is back.`,
    retryAfterMs === undefined ? {} : { retryAfterMs },
  );

export const upstreamDisabled = (upstream: string) =>
  new UpstreamFault(upstream, 'disabled', `The server "${upstream}" is disabled in Atoll's configuration.`);

export const callLost = (upstream: string, why: string) =>
  new UpstreamFault(
    upstream,
    'lost',
    `The server "${upstream}" went away before it answered: ${why}. The call was not repeated, because it may have had effects.`,
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

/** The upstream never saw the request, so sending it again repeats nothing. */
export const notDelivered = (upstream: string, why: string) =>
  new UpstreamFault(upstream, 'unanswered', `The server "${upstream}" could not be asked: ${why}.`, {}, why);

export const upstreamRefused = (upstream: string, status: number, retryAfterMs?: number) =>
  new UpstreamFault(
    upstream,
    status === 429 ? 'busy' : 'refused',
    status === 429
      ? `The server "${upstream}" has too much to do at the moment (HTTP 429); try the call again later.`
      : `The server "${upstream}" refused the request with HTTP ${status}.`,
    retryAfterMs === undefined ? { status } : { status, retryAfterMs },
    `it answered HTTP ${status}`,
  );

export const cannotAsk = (method: string) =>
  new ProtocolFault(-32601, `The calling client does not take "${method}" requests`);

export const unclearQuestion = () =>
  new ProtocolFault(INTERNAL, 'Several clients have calls under way here, so it is not clear which one is being asked');

export const unknownTool = (name: string) =>
  new ProtocolFault(-32602, `There is no tool "${name}" here; tools/list shows all of them`);

export const unknownPrompt = (name: string) =>
  new ProtocolFault(-32602, `There is no prompt "${name}" here; prompts/list shows all of them`);

export const unknownResource = (uri: string, code: number) =>
  new ProtocolFault(code, 'There is no such resource here; resources/list shows all of them', { uri });

export const badCursor = () =>
  new ProtocolFault(-32602, 'This cursor is not one of ours; begin again without a cursor');

export const badRequestState = () =>
  new ProtocolFault(
    -32602,
    'This requestState does not belong to a call that waits for an answer; begin the call again',
  );

export const tooManyCalls = (retryAfterMs: number) =>
  new ProtocolFault(INTERNAL, `Too many calls; try again in ${Math.ceil(retryAfterMs / 1000)} s`, {
    atoll: { reason: 'limited', retryAfterMs },
  });

export const badLogLevel = () =>
  new ProtocolFault(-32602, 'level must be one of the log levels of the protocol, such as "info"');
