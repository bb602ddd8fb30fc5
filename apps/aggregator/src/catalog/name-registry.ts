import type { Member } from './catalog.ts';
import { distinctName, safeName } from './naming.ts';

/** Gives each entry of a list its unique name. */
export class NameRegistry {
  readonly #taken = new Set<string>();
  readonly #prefixes: readonly { readonly prefix: string; readonly member: Member }[];

  constructor(members: readonly Member[]) {
    this.#prefixes = members
      .filter(({ prefix }) => prefix !== '')
      .map((member) => ({ prefix: safeName(member.prefix), member }));
  }

  nameFor(member: Member, ownName: string): string {
    const renamed = member.rename.get(ownName);
    const wanted = safeName(renamed ?? member.prefix + ownName);
    const isFree = !this.#taken.has(wanted) && (renamed !== undefined || !this.#isReserved(wanted, member));
    const name = isFree ? wanted : distinctName(ownName, member.supervisor.key);
    this.#taken.add(name);
    return name;
  }

  /** Whether a generated name would look like a tool of another server, by that server's more specific prefix. */
  #isReserved(name: string, member: Member): boolean {
    if (member.isOwn) return false;
    return this.#prefixes.some(
      ({ prefix, member: other }) =>
        other !== member && prefix.length > member.prefix.length && name.startsWith(prefix),
    );
  }
}
