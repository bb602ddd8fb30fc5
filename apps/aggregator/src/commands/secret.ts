import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { SecretStore } from '../secrets/secret-store.ts';
import { secretFile } from '../server.ts';
import { print, printError } from './cli-io.ts';

export const secret: Command<AggregatorConfig> = {
  usage: 'secret set|remove NAME',
  summary: `Store a secret, read from stdin, that the configuration uses as \${keychain:NAME}; or remove it`,
  flags: ['config'],
  usesDataDir: 'write',
  async run({ words: [act, name], config }) {
    if ((act !== 'set' && act !== 'remove') || name === undefined || !/^[\w.@-]{1,100}$/.test(name)) {
      printError(
        'usage: "atoll secret set NAME" or "atoll secret remove NAME"; names have letters, digits and . _ @ -',
      );
      return 2;
    }
    const store = new SecretStore(secretFile(config.dataDir), config);
    if (act === 'remove') {
      const wasThere = await store.remove(name);
      print(wasThere ? `Removed "${name}"` : `Secret "${name}" not found`);
      return wasThere ? 0 : 1;
    }
    const value = await readValue(name);
    if (value === '') {
      printError('the secret is empty; nothing was stored');
      return 2;
    }
    const place = await store.set(name, value);
    print(
      `Stored "${name}" in ${place === 'keychain' ? 'the keychain' : `${store.file}, because there is no keychain, or it is locked`}`,
    );
    print(`Use it in the configuration as \${keychain:${name}}`);
    return 0;
  },
};

/** Reads from a terminal without echo, else all of stdin without the trailing line break. */
async function readValue(name: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  process.stderr.write(`Value of "${name}" (not shown): `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: process.stdin, output: silent, terminal: true });
  const value = await asking.question('');
  asking.close();
  process.stderr.write('\n');
  return value;
}
