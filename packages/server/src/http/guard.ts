import type { IncomingMessage } from 'node:http';
import { hostname, networkInterfaces } from 'node:os';
import { HttpRefusal } from './refusal.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const EVERYWHERE = ['0.0.0.0', '::', '[::]'];

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Refuses requests that a web page made through a name of its own (DNS rebinding) or from an origin of its own.
 * An address that the server listens on cannot be rebound, so it is always a good name, and so is the machine's own.
 */
export function hostGuard(bound: string, allowedHosts: readonly string[]): (request: IncomingMessage) => void {
  const own = isLoopback(bound) ? [] : [hostname(), `${hostname()}.local`];
  const known = new Set([...LOOPBACK, formatHost(bound), ...own, ...allowedHosts].map((name) => name.toLowerCase()));
  const isKnown = (name: string) =>
    known.has(name) || (EVERYWHERE.includes(bound) && ownAddresses().some((address) => formatHost(address) === name));
  return ({ headers: { host, origin } }) => {
    const name = host === undefined ? undefined : hostnameOf(`http://${host}`);
    if (name === undefined || !isKnown(name)) throw new HttpRefusal(403, 'This Host is not served here');
    if (origin === undefined) return;
    const from = hostnameOf(origin);
    if (from === undefined || !isKnown(from)) throw new HttpRefusal(403, 'This Origin is not allowed here');
  };
}

const hostnames = new Map<string, string | undefined>();

/** Nearly every request carries the same few names, so they are parsed once. */
function hostnameOf(url: string): string | undefined {
  if (hostnames.has(url)) return hostnames.get(url);
  const parsed = /^https?:\/\/[^/\\@?#\s]+$/i.test(url) && URL.canParse(url) ? new URL(url).hostname : undefined;
  if (hostnames.size < 1000) hostnames.set(url, parsed);
  return parsed;
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((cards) => (cards ?? []).map(({ address }) => address));
}

/** A host as it stands in a URL. */
export function formatHost(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
