import { randomBytes } from 'node:crypto';
import type { Command } from '@atoll-mcp/server';
import type { AggregatorConfig } from '../config.ts';
import { ACCOUNT_NAME, accountKey } from '../login/account.ts';
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
  usage: 'login NAME [--account ACCOUNT] [--device] [--print] [--logout]',
  summary:
    'Log in to a remote server with OAuth, in the browser (--print only prints the address; --device prints a code to enter on any machine); a running Atoll takes it up. With --account, one of several logins, which servers, views and tokens choose in the configuration',
  flags: ['account=', 'device', 'print', 'logout', 'config'],
  usesDataDir: 'write',
  async run({ words: [name = ''], argv, config }) {
    const { flags } = parseWords(argv, ['account']);
    const server = Object.hasOwn(config.mcpServers, name) ? config.mcpServers[name] : undefined;
    const url = server?.url;
    if (url === undefined) {
      const known = Object.keys(config.mcpServers).filter((key) => config.mcpServers[key]?.url !== undefined);
      printError(`"${name}" is not a server with a url; those are: ${known.join(', ') || 'none'}`);
      return 2;
    }
    const account = flags.get('account')?.at(-1) ?? server?.account;
    if (account !== undefined && !ACCOUNT_NAME.test(account)) {
      printError('--account: must be 1 to 60 letters, digits or . @ _ -');
      return 2;
    }
    const stored = new StoredLogin(new SecretStore(secretFile(config.dataDir), config), accountKey(name, account));
    const label = `"${name}"${account === undefined ? '' : ` as "${account}"`}`;
    if (flags.has('logout')) {
      print((await stored.remove()) ? `Logged out of ${label}` : `Not logged in to ${label}`);
      return 0;
    }
    const wanted = { url: expand(url, env), stored, isBrowserWanted: !flags.has('print') };
    return report(label, flags.has('device') ? byDevice(wanted) : byBrowser(wanted));
  },
});

interface Wanted {
  readonly url: string;
  readonly stored: StoredLogin;
  readonly isBrowserWanted: boolean;
}

async function report(label: string, login: Promise<void>): Promise<number> {
  try {
    await login;
    print(`Logged in to ${label}`);
    return 0;
  } catch (error) {
    printError(`not logged in to ${label}: ${error instanceof Error ? error.message : 'it failed'}`);
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
