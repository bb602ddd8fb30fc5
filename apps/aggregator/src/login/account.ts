/** What an account may be called: by a word, or an address. */
export const ACCOUNT_NAME = /^[\w.@-]{1,60}$/;

/** The key of a server with one of its accounts. Keys in a configuration have no colon. */
export const accountKey = (server: string, account: string | undefined): string =>
  account === undefined ? server : `${server}:${account}`;

/** The configured server of such a key. */
export const serverOf = (key: string): string => key.split(':')[0] ?? key;

/** The command that a person logs in with. */
export function loginCommand(key: string): string {
  const [server, account] = key.split(':');
  return `atoll login ${server}${account === undefined ? '' : ` --account ${account}`}`;
}
