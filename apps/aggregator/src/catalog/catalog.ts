import type { Json } from '@atoll-mcp/core';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import { type ListName, NO_LISTS } from './lists.ts';
import { distinctName, foldName, type NameFilter, passes, safeName } from './naming.ts';
import { matchesTemplate } from './template.ts';

/** How the tools, prompts and resources of one upstream are listed. */
export interface Member extends NameFilter {
  readonly supervisor: UpstreamSupervisor;
  readonly prefix: string;
  readonly rename: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** The names of its tools, where they are known without starting it. */
  readonly toolNames?: () => Promise<readonly string[]>;
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
  /** Other spellings; `undefined` where one is ambiguous. */
  readonly byFold: ReadonlyMap<string, Entry | undefined>;
}

/** A snapshot of all lists as one view shows them. Rebuilt after each change. */
export class Catalog {
  readonly #members: readonly Member[];
  readonly #view: View;
  readonly tools: Names;
  readonly prompts: Names;
  readonly resources: readonly Json[];
  readonly templates: readonly Json[];
  readonly #owners = new Map<string, Member>();

  constructor(members: readonly Member[], view: View) {
    this.#members = members.filter(
      ({ supervisor, isOwn }) => isOwn || !view.servers || view.servers.includes(supervisor.key),
    );
    this.#view = view;
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

  /** The owner of a resource: who listed it, else whose template matches, else the only upstream with that URI scheme. */
  ownerOf(uri: string): Member | undefined {
    const listed = this.#owners.get(uri);
    if (listed) return listed;
    for (const { uriTemplate } of this.templates) {
      if (typeof uriTemplate === 'string' && matchesTemplate(uriTemplate, uri)) return this.#owners.get(uriTemplate);
    }
    const scheme = uri.slice(0, uri.indexOf(':') + 1);
    const related = new Set(
      [...this.#owners].filter(([known]) => known.startsWith(scheme)).map(([, member]) => member),
    );
    return scheme !== '' && related.size === 1 ? [...related][0] : undefined;
  }

  /** The upstream that an unlisted name would belong to if that upstream were up. */
  absentOwnerOf(name: string): Member | undefined {
    const folded = foldName(name);
    return this.#members.find(({ supervisor, prefix, rename }) => {
      if (supervisor.isShown) return false;
      if (prefix !== '' && folded.startsWith(foldName(prefix))) return true;
      return supervisor.lists.tools.some((tool) => {
        const own = String(tool.name);
        return foldName(rename[own] ?? prefix + own) === folded || foldName(own) === folded;
      });
    });
  }

  /** The same for a server that has never listed its tools, such as a disabled one. */
  async silentOwnerOf(name: string): Promise<Member | undefined> {
    const folded = foldName(name);
    for (const member of this.#members) {
      if (member.supervisor.isShown || !member.toolNames) continue;
      const names = (await member.toolNames()).filter((own) => passes(own, member));
      if (names.some((own) => foldName(member.rename[own] ?? member.prefix + own) === folded)) return member;
    }
    return undefined;
  }

  #names(list: 'tools' | 'prompts'): Names {
    const byName = new Map<string, Entry>();
    const byFold = new Map<string, Entry | undefined>();
    const taken = new Map<string, Member>();
    for (const member of this.#members) {
      for (const definition of member.supervisor.lists[list]) {
        const ownName = String(definition.name);
        if (!passes(ownName, member)) continue;
        const wanted = safeName(member.rename[ownName] ?? member.prefix + ownName);
        // Hidden entries reserve their names too, so names stay stable when upstreams come and go.
        const name = taken.has(wanted) ? distinctName(ownName, member.supervisor.key) : wanted;
        taken.set(name, member);
        if (!member.supervisor.isShown || !(member.isOwn || passes(name, this.#view))) continue;
        const entry = { member, name, ownName, definition: name === ownName ? definition : { ...definition, name } };
        byName.set(name, entry);
        for (const spelling of spellings(entry)) {
          byFold.set(spelling, byFold.has(spelling) && byFold.get(spelling) !== entry ? undefined : entry);
        }
      }
    }
    return { entries: [...byName.values()], byName, byFold };
  }

  #located(list: Exclude<ListName, 'tools' | 'prompts'>, key: 'uri' | 'uriTemplate'): readonly Json[] {
    const items: Json[] = [];
    for (const member of this.#members) {
      const lists = member.supervisor.isShown ? member.supervisor.lists : NO_LISTS;
      for (const item of lists[list]) {
        const place = String(item[key]);
        if (this.#owners.has(place)) continue;
        this.#owners.set(place, member);
        items.push(item);
      }
    }
    return items;
  }
}

function find({ byName, byFold }: Names, name: string): Entry | undefined {
  return byName.get(name) ?? byFold.get(foldName(name));
}

function spellings({ member, name, ownName }: Entry): Set<string> {
  const { supervisor, prefix } = member;
  return new Set([name, ownName, prefix + ownName, `${supervisor.key}_${ownName}`].map(foldName));
}
