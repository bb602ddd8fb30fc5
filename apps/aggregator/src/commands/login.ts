import { randomBytes } from 'node:crypto';
import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { guardedFetch } from '../login/guarded-fetch.ts';
import { listenForCode } from '../login/login-callback.ts';
import { openBrowser } from '../login/open-browser.ts';
import { StoredLogin } from '../login/stored-login.ts';
import { SecretStore } from '../secrets/secret-store.ts';
import { secretFile } from '../server.ts';
import { expand } from '../upstreams/expand-variables.ts';
import { parseWords, print, printError } from './cli-io.ts';

const WAIT_MS = 300_000;

export const login = (env: NodeJS.ProcessEnv): Command<AggregatorConfig> => ({
  usage: 'login NAME [--device] [--print] [--logout]',
  summary:
    'Log in to a remote server with OAuth, in the browser (--print only prints the address; --device prints a code to enter on any machine); a running Atoll takes it up',
  flags: ['device', 'print', 'logout', 'config'],
  usesDataDir: 'write',
  async run({ argv, config }) {
    const { plain, flags } = parseWords(argv, ['config', 'data-dir']);
    const name = plain[0] ?? '';
    const url = Object.hasOwn(config.mcpServers, name) ? config.mcpServers[name]?.url : undefined;
    if (url === undefined) {
      const known = Object.keys(config.mcpServers).filter((key) => config.mcpServers[key]?.url !== undefined);
      printError(`"${name}" is not a server with a url; those are: ${known.join(', ') || 'none'}`);
      return 2;
    }
    const stored = new StoredLogin(new SecretStore(secretFile(config.dataDir), config), name);
    if (flags.has('logout')) {
      print((await stored.remove()) ? `Logged out of "${name}"` : `Not logged in to "${name}"`);
      return 0;
    }
    const wanted = { name, url: expand(url, env), stored, isBrowserWanted: !flags.has('print') };
    return report(name, flags.has('device') ? byDevice(wanted) : byBrowser(wanted));
  },
});

interface Wanted {
  readonly name: string;
  readonly url: string;
  readonly stored: StoredLogin;
  readonly isBrowserWanted: boolean;
}

async function report(name: string, login: Promise<void>): Promise<number> {
  try {
    await login;
    print(`Logged in to "${name}"`);
    return 0;
  } catch (error) {
    printError(`not logged in to "${name}": ${error instanceof Error ? error.message : 'it failed'}`);
    return 1;
  }
}

async function byDevice({ url, stored }: Wanted): Promise<void> {
  const { logInByDevice } = await import('../login/device-login.ts');
  await logInByDevice({
    serverUrl: url,
    login: stored,
    fetchFn: guardedFetch(url),
    onCode: ({ verification_uri: page, verification_uri_complete: direct, user_code: code }) => {
      print(`Open ${page} on any machine and enter the code ${code}`);
      if (direct !== undefined) print(`Or open ${direct}`);
    },
  });
}

async function byBrowser({ url, stored, isBrowserWanted }: Wanted): Promise<void> {
  const [{ auth }, { LoginProvider }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('../login/login-provider.ts'),
  ]);
  const state = randomBytes(16).toString('base64url');
  const callback = await listenForCode(state, WAIT_MS);
  const onAuthorizationUrl = (address: URL) => {
    print(`Log in at ${address.href}`);
    if (isBrowserWanted) openBrowser(address.href);
  };
  const provider = new LoginProvider({ login: stored, redirectUrl: callback.url, onAuthorizationUrl, state });
  const options = { serverUrl: url, fetchFn: guardedFetch(url) };
  try {
    await auth(provider, options);
    const { code, iss } = await callback.code;
    await auth(provider, { ...options, authorizationCode: code, ...(iss !== undefined && { iss }) });
  } finally {
    callback.close();
  }
}
