import type { Member } from './catalog.ts';
import { matchesTemplate } from './template.ts';

/** Schemes of the built-in servers: while one is configured, other servers' resources under its schemes are not listed. */
const BUILTIN_SCHEMES: ReadonlyMap<string, readonly string[]> = new Map([
  ['tensor-directory', ['tensor:', 'model:']],
  ['memorylake', ['memory:']],
]);

interface OwnedTemplate {
  readonly template: string;
  readonly member: Member;
}

/** Maps resource URIs to upstreams. */
export class ResourceOwners {
  readonly #byUri = new Map<string, Member>();
  readonly #byScheme = new Map<string, Set<Member>>();
  readonly #templates: OwnedTemplate[] = [];
  /** By scheme; `atoll:` belongs to Atoll itself. */
  readonly #reserved = new Map<string, Member | undefined>([['atoll:', undefined]]);

  constructor(members: readonly Member[]) {
    for (const member of members) {
      const { key, upstream } = member.supervisor;
      const schemes = upstream.kind === 'in-process' ? BUILTIN_SCHEMES.get(key) : undefined;
      for (const scheme of schemes ?? []) this.#reserved.set(scheme, member);
    }
  }

  /** False if the URI is taken, or its scheme is reserved for another server. */
  addResource(uri: string, member: Member): boolean {
    if (this.#byUri.has(uri) || this.#isReservedFrom(uri, member)) return false;
    this.#byUri.set(uri, member);
    this.#addScheme(uri, member);
    return true;
  }

  addTemplate(template: string, member: Member): boolean {
    if (this.#isReservedFrom(template, member) || this.#templates.some((known) => known.template === template))
      return false;
    this.#templates.push({ template, member });
    this.#addScheme(template, member);
    return true;
  }

  /** The upstream that listed it, else the one whose template matches, else the only one with resources of that scheme. */
  ownerOf(uri: string): Member | undefined {
    const listed = this.#byUri.get(uri) ?? this.#templates.find(({ template }) => template === uri)?.member;
    if (listed) return listed;
    const related = this.#byScheme.get(schemeOf(uri));
    const matching = this.#templates.find(
      ({ template, member }) =>
        // A template without a scheme, such as `{+any}`, must not take what belongs to another server.
        (schemeOf(template) !== '' || !related || related.has(member)) &&
        !this.#isReservedFrom(uri, member) &&
        matchesTemplate(template, uri),
    );
    if (matching) return matching.member;
    return related?.size === 1 ? [...related][0] : undefined;
  }

  /** Candidates for an unlisted URI: upstreams with resources of its scheme, else all. */
  candidatesFor(uri: string, members: readonly Member[]): readonly Member[] {
    const related = this.#byScheme.get(schemeOf(uri));
    return members.filter((member) => (!related || related.has(member)) && !this.#isReservedFrom(uri, member));
  }

  #isReservedFrom(uri: string, member: Member): boolean {
    const scheme = schemeOf(uri);
    return this.#reserved.has(scheme) && this.#reserved.get(scheme) !== member;
  }

  #addScheme(uri: string, member: Member): void {
    const scheme = schemeOf(uri);
    if (scheme === '') return;
    const known = this.#byScheme.get(scheme);
    if (known) known.add(member);
    else this.#byScheme.set(scheme, new Set([member]));
  }
}

function schemeOf(uri: string): string {
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(uri)?.[0].toLowerCase() ?? '';
}
