import { t } from './texts.ts';

const REMEDIES: ReadonlyMap<string, string> = new Map([
  [
    'stdio',
    t(
      'Check its "command" and "args" in atoll.json, and run them once in a terminal to see what they say. Atoll tries again by itself.',
    ),
  ],
  ['http', t('Check its "url" in atoll.json, and whether it is running there. Atoll tries again by itself.')],
  ['in-process', t('Check its block under "servers" in atoll.json; "atoll doctor" says more.')],
]);

/** What to do about a server that is down. */
export const remedyOf = (kind = ''): string | undefined => REMEDIES.get(kind);

/** A reason as a sentence of its own. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1).replace(/\.$/, '')}.`;
}
