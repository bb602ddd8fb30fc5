import type { Json, Logger } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import { type Comparison, compare, type ToolChange } from './compare.ts';
import { definitionsOf, type PinnedDefinitions, type PinnedServer, pinOf } from './definition.ts';
import type { LockFile } from './lock-file.ts';
import { type Suspicion, suspicionsOf } from './suspicions.ts';

export type Pinning = 'off' | 'warn' | 'enforce';

interface UpstreamPinOptions {
  readonly key: string;
  /** The command or address in the configuration. */
  readonly source: unknown;
  readonly lockFile: LockFile;
  readonly pinning: () => Pinning;
  readonly log: Logger;
  /** Which tools are held back may have changed. */
  readonly onChange: () => void;
}

/** What is known of a server's definitions. */
interface PinReport {
  readonly state: 'pinned' | 'changed' | 'unknown';
  readonly comparison?: Comparison;
  /** Why nothing could be compared, or the pin not be written. */
  readonly problem?: string;
  readonly suspicions: readonly Suspicion[];
  /** Own names of tools that are not listed because they are new or changed. */
  readonly heldBack: readonly string[];
  /** Identifies what an approval would pin. */
  readonly fingerprint?: string;
}

interface Untrusted {
  /** Own names of tools that are new or changed. */
  readonly untrusted: readonly string[];
}

interface Examined {
  readonly tools: readonly Json[];
  readonly definitions: PinnedDefinitions;
  readonly suspicions: readonly Suspicion[];
}

const NOTHING: PinReport = { state: 'unknown', suspicions: [], heldBack: [] };

/** Compares the definitions of one server with what was pinned at its first use. */
export class UpstreamPin {
  readonly #options: UpstreamPinOptions;
  #now: PinnedServer | undefined;
  /** The latest list, and what only depends on it. */
  #examined: Examined | undefined;
  #report = NOTHING;
  #untrusted: ReadonlySet<string> = new Set();
  #held: ReadonlySet<string> = new Set();
  readonly #logged = new Set<string>();

  constructor(options: UpstreamPinOptions) {
    this.#options = options;
  }

  get report(): PinReport {
    return this.#report;
  }

  get pinning(): Pinning {
    return this.#options.pinning();
  }

  /** New or changed since the pin was made. */
  isUntrusted(tool: string): boolean {
    return this.#untrusted.has(tool);
  }

  isHeldBack(tool: string): boolean {
    return this.#held.has(tool);
  }

  /** Called when a tool of this server would have had the name of another server's, which it did not get. */
  shadows(tool: string): void {
    const { suspicions } = this.#report;
    if (this.#options.pinning() === 'off') return;
    if (suspicions.some((known) => known.kind === 'shadowing' && known.tool === tool)) return;
    const message = "has the name of another server's tool or of Atoll's own, so it is listed under another";
    this.#report = { ...this.#report, suspicions: [...suspicions, { tool, kind: 'shadowing', message }] };
    this.#tell();
  }

  /** Takes up a list of tools. A cached list, without the server's info, is compared but never pinned. */
  examine(tools: readonly Json[], serverInfo: Json | undefined): void {
    if (this.#options.pinning() === 'off') {
      this.#set(NOTHING, []);
      return;
    }
    // A changed lock file says nothing new about the definitions themselves.
    if (this.#examined?.tools !== tools) {
      this.#examined = { tools, definitions: definitionsOf(tools), suspicions: tools.flatMap(suspicionsOf) };
    }
    const { definitions, suspicions } = this.#examined;
    const now = pinOf(this.#options.source, serverInfo ?? {}, definitions);
    this.#now = serverInfo && now;
    const { untrusted, ...judged } = this.#judge(now, serverInfo !== undefined);
    const heldBack = this.#options.pinning() === 'enforce' ? untrusted : [];
    this.#set({ ...judged, suspicions, heldBack, ...(serverInfo && { fingerprint: now.hash }) }, untrusted);
  }

  #judge(now: PinnedServer, isLive: boolean): Pick<PinReport, 'state' | 'comparison' | 'problem'> & Untrusted {
    const { key, lockFile } = this.#options;
    const all = Object.keys(now.tools);
    try {
      const pins = lockFile.read();
      const pinned = Object.hasOwn(pins, key) ? pins[key] : undefined;
      if (!pinned) {
        if (isLive) lockFile.add(key, now, (error) => this.#notWritten(all, error));
        return { state: isLive ? 'pinned' : 'unknown', untrusted: [] };
      }
      const comparison = compare(pinned, isLive ? now : { ...now, ...identityOf(pinned) });
      const { isOtherServer, tools } = comparison;
      const untrusted = isOtherServer ? all : tools.filter(isThere).map(({ tool }) => tool);
      return { state: isOtherServer || tools.length > 0 ? 'changed' : 'pinned', comparison, untrusted };
    } catch (error) {
      return { state: 'unknown', problem: this.#problemOf(error), untrusted: all };
    }
  }

  /** Definitions that could not be pinned are as good as unknown. */
  #notWritten(all: readonly string[], error: unknown): void {
    if (this.#options.pinning() === 'off') return;
    const { suspicions, fingerprint } = this.#report;
    const heldBack = this.#options.pinning() === 'enforce' ? all : [];
    const problem = this.#problemOf(error);
    this.#set({ state: 'unknown', problem, suspicions, heldBack, ...(fingerprint && { fingerprint }) }, all);
  }

  #problemOf(error: unknown): string {
    return error instanceof ConfigError ? error.message : `${this.#options.lockFile.path} cannot be used`;
  }

  /** Pins what the server lists now. Returns false if that is not what `fingerprint` stands for. */
  approve(fingerprint?: string): boolean {
    const now = this.#now;
    if (!now || (fingerprint !== undefined && fingerprint !== now.hash)) return false;
    this.#options.lockFile.update({ [this.#options.key]: now });
    const { suspicions } = this.#report;
    this.#set({ state: 'pinned', suspicions, heldBack: [], fingerprint: now.hash }, []);
    return true;
  }

  #set(report: PinReport, untrusted: readonly string[]): void {
    const before = JSON.stringify([...this.#untrusted, '', ...this.#held]);
    this.#report = report;
    this.#untrusted = new Set(untrusted);
    this.#held = new Set(report.heldBack);
    this.#tell();
    if (JSON.stringify([...this.#untrusted, '', ...this.#held]) !== before) this.#options.onChange();
  }

  #tell(): void {
    const { key } = this.#options;
    const { state, comparison, problem, suspicions, heldBack } = this.#report;
    if (problem !== undefined) this.#logOnce('error', 'tool definitions not compared', { problem });
    if (comparison && state === 'changed') {
      this.#logOnce('warn', 'tool definitions changed', {
        isOtherServer: comparison.isOtherServer,
        ...countKinds(comparison.tools),
        heldBack: heldBack.length,
        advice: adviceFor(key),
      });
    }
    for (const { tool, kind } of suspicions) this.#logOnce('warn', 'suspicious tool definition', { tool, kind });
  }

  /** Lists come again and again, findings are logged once. */
  #logOnce(level: 'warn' | 'error', message: string, facts: Json): void {
    const text = JSON.stringify([message, facts]);
    if (this.#logged.has(text)) return;
    this.#logged.add(text);
    this.#options.log[level](message, { upstream: this.#options.key, ...facts });
  }
}

export const adviceFor = (key: string) => `"atoll diff ${key}" shows what changed, "atoll pin ${key}" approves it`;

const isThere = ({ kind }: ToolChange) => kind !== 'removed';

/** A cached list says nothing about the server itself. */
function identityOf({ name, version }: PinnedServer) {
  return { ...(name !== undefined && { name }), ...(version !== undefined && { version }) };
}

function countKinds(changes: readonly ToolChange[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of changes) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
