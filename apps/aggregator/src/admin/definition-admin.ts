import type { PartChange } from '../pins/compare.ts';
import { visible } from '../pins/suspicions.ts';
import type { UpstreamPin } from '../pins/upstream-pin.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import { definitionsChanged, notComparable, unknownServer } from './errors.ts';

/** What changed in the definitions of other servers, and its approval. */
export class DefinitionAdmin {
  readonly #supervisors: () => readonly UpstreamSupervisor[];

  constructor(supervisors: () => readonly UpstreamSupervisor[]) {
    this.#supervisors = supervisors;
  }

  list() {
    return { servers: this.#supervisors().flatMap(({ key, pin }) => (pin ? [{ key, ...described(pin) }] : [])) };
  }

  approve(key: string, fingerprint: string) {
    const pinned = this.#supervisors().filter(({ pin }) => pin);
    const pin = pinned.find((known) => known.key === key)?.pin;
    if (!pin)
      throw unknownServer(
        key,
        pinned.map((known) => known.key),
      );
    if (pin.report.fingerprint === undefined || pin.report.problem !== undefined) {
      throw notComparable(key, pin.report.problem ?? 'it has not listed its tools since Atoll started');
    }
    if (!pin.approve(fingerprint)) throw definitionsChanged(key);
    return { key, ...described(pin) };
  }
}

function described({ report, pinning }: UpstreamPin) {
  const { state, comparison, problem, suspicions, heldBack, fingerprint } = report;
  return {
    state,
    pinning,
    ...(problem !== undefined && { problem }),
    ...(fingerprint !== undefined && { fingerprint }),
    is_other_server: comparison?.isOtherServer === true,
    server_changes: (comparison?.server ?? []).map(shownPart),
    changes: (comparison?.tools ?? []).map(({ kind, tool, formerly, parts }) => ({
      kind,
      tool: visible(tool),
      ...(formerly !== undefined && { formerly: visible(formerly) }),
      parts: parts.map(shownPart),
    })),
    warnings: suspicions.map(({ tool, kind, message }) => ({ tool: visible(tool), kind, message })),
    held_back: heldBack.map(visible),
  };
}

function shownPart({ part, before, after }: PartChange) {
  return {
    part: visible(part),
    ...(before !== undefined && { before: visible(before) }),
    ...(after !== undefined && { after: visible(after) }),
  };
}
