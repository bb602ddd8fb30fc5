import type { LookupAddress, LookupAllOptions } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** An address that the configuration did not ask for: a public name that resolves into a private network. */
export const PRIVATE_ADDRESS = 'ATOLL_PRIVATE_ADDRESS';

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const privateRanges = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  privateRanges.addSubnet(network, prefix, 'ipv6');

// BlockList also matches IPv4 addresses mapped into IPv6 (::ffff:10.0.0.1).
export const isPrivateAddress = ({ address, family }: LookupAddress) =>
  privateRanges.check(address, family === 6 ? 'ipv6' : 'ipv4');

const LOCAL_SUFFIX = /(^|\.)(localhost|local|lan|home|internal|intranet|corp|private|test|home\.arpa)$/;

/** Whether whoever wrote this host name meant their own machine or network: an address, a short name, a local domain. */
export function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$|\.$/g, '').toLowerCase();
  return isIP(name) !== 0 || !name.includes('.') || LOCAL_SUFFIX.test(name);
}

// Importing node:dns reads the resolver's configuration, so it is loaded by the first look-up only.
const lookup: Resolve = (...args) => process.getBuiltinModule('node:dns').lookup(...args);

/**
 * Resolves public names to public addresses only, so that whoever owns the name cannot point Atoll at a service of this
 * network. Returns undefined for local names, which need no check.
 */
export function publicLookup(hostname: string, resolve: Resolve = lookup): LookupFunction | undefined {
  if (isLocalName(hostname)) return undefined;
  return (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const allowed = addresses.filter((address) => !isPrivateAddress(address));
      const [first] = allowed;
      if (!first) {
        const refused = new Error(`${name} resolves to a private address`);
        return callback(Object.assign(refused, { code: PRIVATE_ADDRESS }), []);
      }
      if (options.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
