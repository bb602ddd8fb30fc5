import { createHash } from 'node:crypto';

/** Some clients reject longer names, and their own prefixes count too. */
const MAX_NAME_LENGTH = 60;
const HASH_LENGTH = 8;

/** A name that every client accepts: `^[a-zA-Z0-9_-]{1,60}$`, stable for a server and tool. */
export function safeName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]/g, '_') || '_';
  if (safe.length <= MAX_NAME_LENGTH) return safe;
  return withHash(safe, name);
}

/** The name of the second of two entries that would otherwise collide. */
export function distinctName(name: string, key: string): string {
  return withHash(safeName(`${key}_${name}`), `${key}\n${name}`);
}

function withHash(safe: string, source: string): string {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, HASH_LENGTH);
  return `${safe.slice(0, MAX_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

/** Normalizes spellings of the same name: dots, slashes, hyphens, underscores and case. */
export function foldName(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '_').toLowerCase();
}

export interface NameFilter {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/** Whether a name passes: on the allow-list if there is one, and not on the deny-list. `*` stands for anything. */
export function passes(name: string, { allow, deny }: NameFilter): boolean {
  const isOn = (list: readonly string[]) => list.some((pattern) => matches(pattern, name));
  return (allow === undefined || isOn(allow)) && !(deny && isOn(deny));
}

function matches(pattern: string, name: string): boolean {
  if (!pattern.includes('*')) return pattern === name || safeName(pattern) === safeName(name);
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(name);
}
