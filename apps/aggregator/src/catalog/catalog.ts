import { isObject, type Json } from '@atoll-mcp/core';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import { type ListName, NO_LISTS } from './lists.ts';
import { NameRegistry } from './name-registry.ts';
import { foldName, type NameFilter, passes } from './naming.ts';
import { nearNames } from './near-names.ts';
import { ResourceOwners } from './resource-owners.ts';

/** Parts of a tool's definition that the configuration replaces. */
export interface Override {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Added to the tool's own, or in place of those of the same name. */
  readonly annotations?: Json | undefined;
}

/** How the tools, prompts and resources of one upstream are listed. */
export interface Member extends NameFilter {
  readonly supervisor: UpstreamSupervisor;
  readonly prefix: string;
  /** Own name → listed name. */
  readonly rename: ReadonlyMap<string, string>;
  /** Own name of a tool → what it is listed with instead of its own. */
  readonly override?: ReadonlyMap<string, Override>;
  readonly timeoutMs: number;
  /** Whether programs need confirmation for its writing tools. */
  readonly confirmWrites?: 'ask' | 'allow' | 'deny';
  /** The names of its tools, where they are known without starting it. */
  readonly toolNames?: () => Promise<readonly string[]>;
  /** Its key in the configuration, where that is not the supervisor's. */
  readonly server?: string | undefined;
  /** The login that it uses, if it is one of several. */
  readonly account?: string | undefined;
  /** Whether it is used only where a view or token names its account. */
  readonly isAlternative?: boolean;
  /** The aggregator's own tools, which every view has. */
  readonly isOwn?: boolean;
}

/** What a view includes. */
export interface View extends NameFilter {
  readonly servers?: readonly string[] | undefined;
}

/** A tool or prompt as clients see it, and as its own server knows it. */
export interface Entry {
  readonly member: Member;
  readonly name: string;
  readonly ownName: string;
  readonly definition: Json;
}

interface Names {
  readonly entries: readonly Entry[];
  readonly byName: ReadonlyMap<string, Entry>;
  /** Other spellings of listed names; `undefined` where one is ambiguous. */
  readonly byFold: ReadonlyMap<string, Entry | undefined>;
  /** The servers' own names. */
  readonly byOwnFold: ReadonlyMap<string, Entry | undefined>;
}

/** A snapshot of all lists as one view shows them. Rebuilt after each change. */
export class Catalog {
  readonly #members: readonly Member[];
  readonly #view: View;
  readonly tools: Names;
  readonly prompts: Names;
  readonly resources: readonly Json[];
  readonly templates: readonly Json[];
  readonly #owners: ResourceOwners;
  /** Tools that wait for approval, by any spelling of the name they would have. */
  readonly #heldBack = new Map<string, Member>();

  constructor(members: readonly Member[], view: View) {
    this.#members = members.filter(
      ({ supervisor, isOwn, server = supervisor.key }) => isOwn || !view.servers || view.servers.includes(server),
    );
    this.#view = view;
    this.#owners = new ResourceOwners(members);
    this.tools = this.#names('tools');
    this.prompts = this.#names('prompts');
    this.resources = this.#located('resources', 'uri');
    this.templates = this.#located('templates', 'uriTemplate');
  }

  get members(): readonly Member[] {
    return this.#members;
  }

  tool(name: string): Entry | undefined {
    return find(this.tools, name);
  }

  /** Tools of this view that a misspelt name may stand for. */
  namesNear(name: string): string[] {
    return nearNames(
      name,
      this.tools.entries.map((entry) => entry.name),
    );
  }

  /** The upstream of a tool that is held back until its definition is approved. */
  heldBackOwnerOf(name: string): Member | undefined {
    return this.#heldBack.get(foldName(name));
  }

  /** Whether a server's tool is listed under any name. */
  shows(server: string, tool: string): boolean {
    const folded = foldName(tool);
    return this.tools.entries.some(
      ({ member, ownName }) => member.supervisor.key === server && foldName(ownName) === folded,
    );
  }

  prompt(name: string): Entry | undefined {
    return find(this.prompts, name);
  }

  ownerOf(uri: string): Member | undefined {
    return this.#owners.ownerOf(uri);
  }

  /** Candidates for a resource without an owner. */
  candidatesFor(uri: string): readonly Member[] {
    return this.#owners.candidatesFor(uri, this.#members);
  }

  /** The upstream that an unlisted name would belong to if that upstream were up. */
  absentOwnerOf(name: string): Member | undefined {
    const folded = foldName(name);
    return this.#members.find(({ supervisor, prefix, rename }) => {
      if (supervisor.isShown) return false;
      if (prefix !== '' && folded.startsWith(foldName(prefix))) return true;
      return supervisor.lists.tools.some((tool) => {
        const own = String(tool.name);
        return foldName(rename.get(own) ?? prefix + own) === folded || foldName(own) === folded;
      });
    });
  }

  /** The same for a server that has never listed its tools, such as a disabled one. */
  async silentOwnerOf(name: string): Promise<Member | undefined> {
    const folded = foldName(name);
    for (const member of this.#members) {
      if (member.supervisor.isShown || !member.toolNames) continue;
      const names = (await member.toolNames()).filter((own) => passes(own, member));
      if (names.some((own) => foldName(member.rename.get(own) ?? member.prefix + own) === folded)) return member;
    }
    return undefined;
  }

  #names(list: 'tools' | 'prompts'): Names {
    const byName = new Map<string, Entry>();
    const byFold = new Map<string, Entry | undefined>();
    const byOwnFold = new Map<string, Entry | undefined>();
    const taken = new NameRegistry(this.#members);
    for (const rank of RANKS) {
      this.#forEachMember((member) => {
        for (const definition of member.supervisor.lists[list]) {
          const { name: ownName } = definition;
          if (typeof ownName !== 'string' || !passes(ownName, member)) continue;
          const { pin } = member.supervisor;
          if (rankOf(member, ownName, list === 'tools' && pin?.isUntrusted(ownName) === true) !== rank) continue;
          // Hidden entries reserve their names too, so names stay stable when upstreams come and go.
          const name = taken.nameFor(member, ownName);
          if (!member.supervisor.isShown || !(member.isOwn || passes(name, this.#view))) continue;
          if (list === 'tools' && pin?.isHeldBack(ownName)) {
            for (const spelling of [name, ...otherSpellings({ member, ownName })]) {
              this.#heldBack.set(foldName(spelling), member);
            }
            continue;
          }
          const shown = list === 'tools' ? overridden(definition, member.override?.get(ownName)) : definition;
          const entry = { member, name, ownName, definition: name === ownName ? shown : listedAs(shown, name) };
          byName.set(name, entry);
          addSpelling(byFold, name, entry);
          for (const spelling of otherSpellings(entry)) addSpelling(byOwnFold, spelling, entry);
        }
      });
    }
    return { entries: this.#inOrder([...byName.values()]), byName, byFold, byOwnFold };
  }

  /** By upstream, each in its own order. */
  #inOrder(entries: Entry[]): readonly Entry[] {
    const place = new Map(this.#members.map((member, index) => [member, index]));
    return entries.sort((a, b) => (place.get(a.member) ?? 0) - (place.get(b.member) ?? 0));
  }

  #located(list: Exclude<ListName, 'tools' | 'prompts'>, key: 'uri' | 'uriTemplate'): readonly Json[] {
    const items: Json[] = [];
    this.#forEachMember((member) => {
      const lists = member.supervisor.isShown ? member.supervisor.lists : NO_LISTS;
      for (const item of lists[list]) {
        const place = item[key];
        if (typeof place !== 'string') continue;
        const isOwner =
          key === 'uri' ? this.#owners.addResource(place, member) : this.#owners.addTemplate(place, member);
        if (isOwner) items.push(item);
      }
    });
    return items;
  }

  /** A failure in one upstream's list drops the rest of that list only. */
  #forEachMember(add: (member: Member) => void): void {
    for (const member of this.#members) {
      try {
        add(member);
      } catch (error) {
        member.supervisor.listFailed(error);
      }
    }
  }
}

function find({ byName, byFold, byOwnFold }: Names, name: string): Entry | undefined {
  const folded = foldName(name);
  // A listed name takes precedence over another server's own name.
  return byName.get(name) ?? byFold.get(folded) ?? (byFold.has(folded) ? undefined : byOwnFold.get(folded));
}

function overridden(definition: Json, override: Override | undefined): Json {
  if (!override) return definition;
  const { title, description, annotations } = override;
  const own = isObject(definition.annotations) ? definition.annotations : {};
  return {
    ...definition,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations: { ...own, ...annotations } }),
  };
}

/** Definitions under their latest listed name: the same object in every catalog, so that what was indexed stays indexed. */
const renamed = new WeakMap<Json, Json>();

function listedAs(definition: Json, name: string): Json {
  const known = renamed.get(definition);
  if (known?.name === name) return known;
  const listed = { ...definition, name };
  renamed.set(definition, listed);
  return listed;
}

function addSpelling(spellings: Map<string, Entry | undefined>, spelling: string, entry: Entry): void {
  const folded = foldName(spelling);
  spellings.set(folded, spellings.has(folded) && spellings.get(folded) !== entry ? undefined : entry);
}

/**
 * Who gets a name that several want: Atoll's own tools and explicit renames first, so that no generated name takes theirs; a tool that
 * is new or changed since it was pinned last, so that it never takes the name of one that was there before.
 */
const RANKS = ['explicit', 'usual', 'untrusted'] as const;

function rankOf({ isOwn, rename }: Member, ownName: string, isUntrusted: boolean): (typeof RANKS)[number] {
  if (isOwn || rename.has(ownName)) return 'explicit';
  return isUntrusted ? 'untrusted' : 'usual';
}

function otherSpellings({ member, ownName }: Pick<Entry, 'member' | 'ownName'>): string[] {
  const { supervisor, prefix } = member;
  return [ownName, prefix + ownName, `${supervisor.key}_${ownName}`];
}
