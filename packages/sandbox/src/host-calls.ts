import type { HostFunction, Json, Limits } from './interface.ts';
import { MAX_CONTAINERS, MAX_JSON_DEPTH, parseUntrustedJson } from './json.ts';
import { bytes } from './results.ts';

/** What a call came to: the result as JSON, or the message of an error. */
type HostCallOutcome = { readonly ok: true; readonly json: string } | { readonly ok: false; readonly error: string };

interface HostCallsOptions {
  readonly host: HostFunction | undefined;
  readonly limits: Pick<Limits, 'hostCalls' | 'hostCallsAtOnce' | 'jsonBytes'>;
}

const MAX_NAME = 1_000;
const MAX_ERROR = 4_000;

/** The host functions of one run: checks what the code asks for and what it gets, and counts. */
export class HostCalls {
  readonly #options: HostCallsOptions;
  readonly #over = new AbortController();
  #total = 0;
  #running = 0;
  /** Of the arguments of running calls. */
  #bytes = 0;

  constructor(options: HostCallsOptions) {
    this.#options = options;
  }

  /** Runs one call. Never rejects; `name` and `args`, a JSON text, come from untrusted code. */
  async run(name: string, args: string | Buffer): Promise<HostCallOutcome> {
    const { hostCalls, hostCallsAtOnce } = this.#options.limits;
    if (++this.#total > hostCalls) return failed(`At most ${hostCalls} calls are made in one run`);
    if (this.#running >= hostCallsAtOnce) return failed(`At most ${hostCallsAtOnce} calls are made at the same time`);
    this.#running++;
    try {
      return await this.#run(name, args);
    } catch (error) {
      return failed(error instanceof Error ? error.message : `The call of ${name} failed`);
    } finally {
      this.#running--;
    }
  }

  /** The run is over: aborts the calls that are still running. */
  end(): void {
    this.#over.abort();
  }

  async #run(name: string, args: string | Buffer): Promise<HostCallOutcome> {
    const { host, limits } = this.#options;
    if (!host) return failed('This run has no host functions');
    if (name.length > MAX_NAME) return failed(`The name of a function has at most ${MAX_NAME} characters`);
    const size = Buffer.byteLength(args);
    if (size > limits.jsonBytes) return failed(tooLarge('The arguments', size, limits));
    if (this.#bytes + size > limits.jsonBytes) {
      return failed(tooLarge('The arguments of calls at the same time', this.#bytes + size, limits));
    }
    this.#bytes += size;
    try {
      return await this.#made(host, name, parseUntrustedJson(Buffer.from(args)) as Json);
    } finally {
      this.#bytes -= size;
    }
  }

  async #made(host: HostFunction, name: string, args: Json): Promise<HostCallOutcome> {
    const { limits } = this.#options;
    const { signal } = this.#over;
    if (signal.aborted) return failed('The run is over');
    const json = JSON.stringify(await host(name, args, signal)) ?? 'null';
    const resultSize = Buffer.byteLength(json);
    return resultSize > limits.jsonBytes ? failed(tooLarge('The result', resultSize, limits)) : { ok: true, json };
  }
}

/** The value that a run returned, or what is wrong with it. */
export function parseValue(text: string | Buffer, limits: Pick<Limits, 'jsonBytes'>): { value: Json } | string {
  const size = Buffer.byteLength(text);
  if (size > limits.jsonBytes) return tooLarge('It', size, limits);
  try {
    return { value: parseUntrustedJson(Buffer.from(text)) as Json };
  } catch {
    return `It is not JSON of at most ${MAX_JSON_DEPTH} levels and ${MAX_CONTAINERS} lists and objects`;
  }
}

const failed = (error: string): HostCallOutcome => ({ ok: false, error: error.slice(0, MAX_ERROR) });

const tooLarge = (what: string, size: number, { jsonBytes }: Pick<Limits, 'jsonBytes'>) =>
  `${what} has ${size} bytes as JSON; at most ${bytes(jsonBytes)} are passed on`;
