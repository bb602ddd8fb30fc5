import { isLocalName, isPrivateAddress } from '../upstreams/wire/private-address.ts';

const TIMEOUT_MS = 30_000;

/**
 * `fetch` for addresses that a server names: a public server must not make Atoll connect to this machine or its network. Redirects are
 * refused, because they would bypass the check.
 */
export function guardedFetch(serverUrl: string): (url: string | URL, init?: RequestInit) => Promise<Response> {
  const isLocalServer = isLocalName(new URL(serverUrl).hostname);
  return async (url, init) => {
    const { hostname, protocol } = new URL(url);
    if (!isLocalServer) {
      if (protocol !== 'https:') throw new Error(`${hostname} must be reached over https`);
      // Importing node:dns reads the resolver's configuration, so it is loaded by the first look-up only.
      const { lookup } = process.getBuiltinModule('node:dns').promises;
      const addresses = isLocalName(hostname) ? [] : await lookup(hostname, { all: true });
      if (addresses.length === 0 || addresses.some(isPrivateAddress)) {
        throw new Error(`${hostname} is in a private network, but the server that refers to it is not`);
      }
    }
    return fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
}
