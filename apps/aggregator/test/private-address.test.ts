import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { isLocalName, PRIVATE_ADDRESS, publicLookup } from '../src/upstreams/wire/private-address.ts';

/** What a connection to a host name would be made to, if the name resolved to these addresses. */
function resolved(addresses: string[], all = false): Promise<unknown> {
  const records: LookupAddress[] = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = publicLookup('tools.example.org', (_name, _options, done) => done(null, records));
  return new Promise((resolve, reject) => {
    lookup?.('tools.example.org', { all }, (error, address) => (error ? reject(error) : resolve(address)));
  });
}

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.0.1',
  '192.168.1.10',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  '::',
  'fd00::1',
  'fe80::1',
  '::ffff:10.0.0.1',
])('a public name that resolves to %s is refused', async (address) => {
  await expect(resolved([address])).rejects.toMatchObject({ code: PRIVATE_ADDRESS });
  await expect(resolved([address], true)).rejects.toMatchObject({ code: PRIVATE_ADDRESS });
});

test.each(['93.184.216.34', '2606:2800:220:1::1'])('a public name that resolves to %s is used', async (address) => {
  expect(await resolved([address])).toBe(address);
});

test('only the public ones of several addresses are used', async () => {
  expect(await resolved(['10.0.0.1', '93.184.216.34'], true)).toEqual([{ address: '93.184.216.34', family: 4 }]);
});

test.each([
  'localhost',
  '127.0.0.1',
  '[::1]',
  '192.168.1.5',
  'nas',
  'nas.local',
  'box.lan',
  'api.internal',
  'x.home.arpa.',
])('%s is a local name and needs no check', (name) => {
  expect(isLocalName(name)).toBe(true);
  expect(publicLookup(name)).toBeUndefined();
});

test.each(['example.org', 'localhost.example.org', 'local.example', '127.0.0.1.example.org'])(
  '%s is a public name',
  (name) => expect(isLocalName(name)).toBe(false),
);
