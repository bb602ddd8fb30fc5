import type { Era, Json } from '@atoll-mcp/core';
import type { HeldCalls } from '../bridge/held-calls.ts';
import { initialize, shakeHands } from '../wire/handshake.ts';
import type { Wire, WireEvents } from '../wire/wire.ts';
import type { Link, LinkEvents } from './interface.ts';
import { type Traits, WireLink } from './wire-link.ts';

export interface OpenOptions {
  readonly era: Era | 'auto';
  readonly startTimeoutMs: number;
  readonly clientInfo: Json;
  readonly held: HeldCalls;
  readonly sharesOneLine: boolean;
  readonly onGarbage: () => void;
  readonly traits: Traits;
  readonly signal: AbortSignal;
}

/** Greets whoever is at the other end of a wire and makes a link of it. A failed greeting closes the wire. */
export async function openWire(
  connect: (events: WireEvents) => Wire,
  events: LinkEvents,
  options: OpenOptions,
): Promise<Link> {
  let link: WireLink | undefined;
  let early: string | undefined;
  const wire = connect({
    notification: (method, params) => link?.heard(method, params),
    question: async (method, params) => (method === 'ping' || !link ? {} : link.asked(method, params)),
    garbage: options.onGarbage,
    lost: (why) => {
      early = why;
      if (link) events.lost(why);
    },
  });
  const giveUp = () => void wire.close();
  options.signal.addEventListener('abort', giveUp, { once: true });
  try {
    const handshake = await shakeHands(wire.client, options);
    wire.settleOn?.(handshake);
    const { held, clientInfo, sharesOneLine, traits } = options;
    const greetAsLegacy = async () => {
      const greeted = await initialize(wire.client, options);
      wire.settleOn?.(greeted);
    };
    link = new WireLink({ wire, handshake, events, held, clientInfo, sharesOneLine, traits, greetAsLegacy });
    if (early !== undefined) queueMicrotask(() => events.lost(early ?? ''));
    return link;
  } catch (error) {
    await wire.close();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', giveUp);
  }
}
