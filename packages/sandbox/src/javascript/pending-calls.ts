import type { QuickJSContext, QuickJSHandle } from 'quickjs-emscripten';
import type { Failure, Limits } from '../interface.ts';
import { mustStop, nextResults, send } from '../thread-side.ts';
import { failureOf, INTERRUPTED } from './failure.ts';

export type PendingCallLimits = Pick<Limits, 'hostCalls' | 'hostCallsAtOnce' | 'jsonBytes'>;

const MAX_NAME = 1_000;

/** Names and arguments stay in the memory of QuickJS until they are sent, so that a flood meets its limit. */
interface Call {
  readonly name: QuickJSHandle;
  readonly json: QuickJSHandle;
  readonly settle: QuickJSHandle;
}

interface SentCall {
  readonly settle: QuickJSHandle;
  readonly length: number;
}

/** A character takes at most so many bytes. */
const MAX_BYTES = 3;

/** Calls of host functions that the code of a context has made and that are not settled yet. */
export class PendingCalls {
  readonly #context: QuickJSContext;
  readonly #limits: PendingCallLimits;
  readonly #beforeSend: () => void;
  readonly #sent = new Map<number, SentCall>();
  #waiting: Call[] = [];
  #sentLength = 0;
  #isAllowed = false;
  #total = 0;
  #lastId = 0;

  constructor(context: QuickJSContext, limits: PendingCallLimits, beforeSend: () => void) {
    this.#context = context;
    this.#limits = limits;
    this.#beforeSend = beforeSend;
  }

  get isEmpty(): boolean {
    return this.#sent.size === 0 && this.#waiting.length === 0;
  }

  /** A new run, with host functions or without. */
  begin(isAllowed: boolean): void {
    this.clear();
    this.#isAllowed = isAllowed;
    this.#total = 0;
  }

  /** What the code's `call` does; `settle(ok, text)` is told what came of it. Throws where no call can be made. */
  add(name: QuickJSHandle, json: QuickJSHandle, settle: QuickJSHandle): void {
    const { hostCalls, jsonBytes } = this.#limits;
    if (!this.#isAllowed) throw new Error('This run has no host functions');
    if (++this.#total > hostCalls) throw new Error(`At most ${hostCalls} calls are made in one run`);
    if (this.#length(name) > MAX_NAME) throw new Error(`The name of a function has at most ${MAX_NAME} characters`);
    const size = this.#length(json);
    if (size > jsonBytes) throw new Error(`The arguments have ${size} characters; at most ${jsonBytes} are passed on`);
    this.#waiting.push({ name: name.dup(), json: json.dup(), settle: settle.dup() });
    this.#sendWaiting();
  }

  /** Waits for results and settles their calls. A failure when that is not possible, or the host wants a stop. */
  async settleSome(): Promise<Failure | undefined> {
    const results = await nextResults();
    if (mustStop()) return INTERRUPTED;
    for (const result of results) {
      const sent = this.#sent.get(result.call);
      if (!sent) continue; // of an earlier run
      this.#sent.delete(result.call);
      this.#sentLength -= sent.length;
      const failure = this.#settle(sent.settle, result.ok, result.ok ? result.json : result.error);
      if (failure) return failure;
    }
    this.#sendWaiting();
    return undefined;
  }

  clear(): void {
    for (const { name, json, settle } of this.#waiting) for (const handle of [name, json, settle]) handle.dispose();
    for (const { settle } of this.#sent.values()) settle.dispose();
    this.#waiting = [];
    this.#sent.clear();
    this.#sentLength = 0;
  }

  #sendWaiting(): void {
    while (this.#sent.size < this.#limits.hostCallsAtOnce) {
      const [call] = this.#waiting;
      if (!call) return;
      const length = this.#length(call.json);
      // All that are sent fit into the limit of one, so that a flood stays in the memory of QuickJS.
      const bytes = MAX_BYTES * (this.#sentLength + length);
      if (this.#sent.size > 0 && bytes > this.#limits.jsonBytes) return;
      this.#waiting.shift();
      this.#sentLength += length;
      this.#beforeSend();
      using name = call.name;
      using json = call.json;
      this.#sent.set(++this.#lastId, { settle: call.settle, length });
      send({
        type: 'call',
        call: this.#lastId,
        name: this.#context.getString(name),
        args: this.#context.getString(json),
      });
    }
  }

  #length(text: QuickJSHandle): number {
    return this.#context.getProp(text, 'length').consume((handle) => this.#context.getNumber(handle));
  }

  #settle(settle: QuickJSHandle, ok: boolean, text: string): Failure | undefined {
    const context = this.#context;
    using handle = settle;
    using content = context.newString(text);
    const settled = context.callFunction(handle, context.undefined, ok ? context.true : context.false, content);
    // The code can't make this fail, but by leaving no memory for the result.
    if (settled.error) return failureOf(context, settled.error);
    settled.value.dispose();
    return undefined;
  }
}
