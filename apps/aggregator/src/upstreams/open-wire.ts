import type { Era, Json } from '@atoll-mcp/core';
import type { SuspendedCalls } from './bridge/suspended-calls.ts';
import type { Link, LinkEvents } from './interface.ts';
import { initialize, negotiate } from './wire/handshake.ts';
import type { Wire, WireEvents } from './wire/wire.ts';
import { type Traits, WireLink } from './wire-link.ts';

export interface OpenOptions {
  readonly era: Era | 'auto';
  readonly startTimeoutMs: number;
  readonly clientInfo: Json;
  readonly suspended: SuspendedCalls;
  readonly isMultiplexed: boolean;
  readonly onMalformed: () => void;
  readonly traits: Traits;
  readonly signal: AbortSignal;
}

/** Negotiates over a wire and returns a link. A failed handshake closes the wire. */
export async function openWire(
  connect: (events: WireEvents) => Wire,
  events: LinkEvents,
  options: OpenOptions,
): Promise<Link> {
  let link: WireLink | undefined;
  let early: string | undefined;
  const wire = connect({
    onNotification: (method, params) => link?.onNotification(method, params),
    onRequest: async (method, params) => (method === 'ping' || !link ? {} : link.onRequest(method, params)),
    onMalformed: options.onMalformed,
    onClose: (why) => {
      early = why;
      if (link) events.onClose(why);
    },
  });
  const giveUp = () => void wire.close();
  options.signal.addEventListener('abort', giveUp, { once: true });
  try {
    const handshake = await negotiate(wire.client, options);
    wire.onNegotiated?.(handshake);
    const { suspended, clientInfo, isMultiplexed, traits } = options;
    const initializeLegacy = async () => {
      const legacy = await initialize(wire.client, options);
      wire.onNegotiated?.(legacy);
    };
    link = new WireLink({ wire, handshake, events, suspended, clientInfo, isMultiplexed, traits, initializeLegacy });
    if (early !== undefined) queueMicrotask(() => events.onClose(early ?? ''));
    return link;
  } catch (error) {
    await wire.close();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', giveUp);
  }
}
