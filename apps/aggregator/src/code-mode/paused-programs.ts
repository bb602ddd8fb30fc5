import type { RunResult } from '@atoll-mcp/sandbox';
import { samePlanOnly, unknownPlan } from './errors.ts';
import type { PausedPlan, Program } from './program.ts';

interface PausedProgram {
  readonly program: Program;
  readonly done: Promise<RunResult>;
  readonly plan: PausedPlan;
  readonly caller: string;
}

const TTL_MS = 8 * 60_000;
const MAX_PER_CALLER = 2;
const MAX_PAUSED = 16;

/** Paused programs of callers that cannot be asked directly: they continue when the caller sends the plan's id. */
export class PausedPrograms {
  readonly #paused = new Map<string, PausedProgram & { readonly timer: NodeJS.Timeout }>();

  get size(): number {
    return this.#paused.size;
  }

  keep(paused: PausedProgram): void {
    const own = [...this.#paused.values()].filter(({ caller }) => caller === paused.caller);
    if (own.length >= MAX_PER_CALLER) this.#end(own[0]?.plan.id);
    if (this.#paused.size >= MAX_PAUSED) this.#end([...this.#paused.keys()][0]);
    const { id } = paused.plan;
    const timer = setTimeout(() => this.#end(id), TTL_MS).unref();
    this.#paused.set(id, { ...paused, timer });
    void paused.done.finally(() => this.#forget(id)).catch(() => {});
  }

  /** Only for its own caller, and only once. */
  take(id: string, caller: string, code: string | undefined): PausedProgram {
    const paused = this.#paused.get(id);
    if (!paused || paused.caller !== caller) throw unknownPlan();
    if (code !== undefined && code !== paused.program.code) throw samePlanOnly();
    this.#forget(id);
    return paused;
  }

  close(): void {
    for (const id of [...this.#paused.keys()]) this.#end(id);
  }

  #end(id: string | undefined): void {
    if (id === undefined) return;
    this.#paused.get(id)?.program.stop();
    this.#forget(id);
  }

  #forget(id: string): void {
    clearTimeout(this.#paused.get(id)?.timer);
    this.#paused.delete(id);
  }
}
