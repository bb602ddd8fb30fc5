import type { Member } from './catalog.ts';
import { distinctName, safeName } from './naming.ts';

/** Gives each entry of a list its unique name. */
export class NameRegistry {
  readonly #taken = new Map<string, Member>();
  readonly #prefixes: readonly { readonly prefix: string; readonly member: Member }[];

  constructor(members: readonly Member[]) {
    this.#prefixes = members
      .filter(({ prefix }) => prefix !== '')
      .map((member) => ({ prefix: safeName(member.prefix), member }));
  }

  nameFor(member: Member, ownName: string): string {
    const renamed = member.rename.get(ownName);
    const wanted = safeName(renamed ?? member.prefix + ownName);
    const owner = this.#taken.get(wanted);
    const isReserved = renamed === undefined && this.#isReserved(wanted, member);
    if (isReserved || (owner && owner !== member)) member.supervisor.pin?.shadows(ownName);
    const name = owner || isReserved ? this.#otherName(member, ownName) : wanted;
    this.#taken.set(name, member);
    return name;
  }

  /** The hash keeps other servers from choosing the name of a third one. */
  #otherName({ supervisor }: Member, ownName: string): string {
    const qualified = safeName(`${supervisor.key}_${ownName}`);
    const isBuiltIn = supervisor.upstream.kind === 'in-process';
    return isBuiltIn && !this.#taken.has(qualified) ? qualified : distinctName(ownName, supervisor.key);
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
