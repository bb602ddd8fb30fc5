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
 * While no token is needed (`isOpen`), requests that may change something must come from the same port.
 */
export function hostGuard(
  bound: string,
  allowedHosts: readonly string[],
  options: { readonly isOpen: boolean } = { isOpen: false },
): (request: IncomingMessage) => void {
  const own = isLoopback(bound) ? [] : [hostname(), `${hostname()}.local`];
  const known = new Set([...LOOPBACK, formatHost(bound), ...own, ...allowedHosts].map((name) => name.toLowerCase()));
  const isKnown = (name: string) =>
    known.has(name) || (EVERYWHERE.includes(bound) && ownAddresses().some((address) => formatHost(address) === name));
  const allowedOrigins = new Set(allowedHosts.map((name) => name.toLowerCase()));
  return ({ method, headers: { host, origin } }) => {
    const name = host === undefined ? undefined : hostnameOf(`http://${host}`);
    if (name === undefined || !isKnown(name)) throw new HttpRefusal(403, 'This Host is not allowed');
    if (origin === undefined) return;
    const from = hostnameOf(origin);
    const isAllowed = allowedOrigins.has(origin.replace(/^https?:\/\//i, '').toLowerCase());
    if (!isAllowed && (from === undefined || !isKnown(from))) {
      throw new HttpRefusal(403, 'This Origin is not allowed');
    }
    // Without a token, a page of another local program must not be able to change anything.
    if (!options.isOpen || isAllowed || READS.has(method ?? '') || allowedOrigins.has(from ?? '')) return;
    if (portOf(origin) !== portOf(`http://${host}`)) {
      throw new HttpRefusal(403, 'This Origin is not allowed; --allowed-hosts HOST:PORT allows it');
    }
  };
}

const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

function portOf(url: string): string {
  const { port, protocol } = new URL(url);
  return port || (protocol === 'https:' ? '443' : '80');
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
