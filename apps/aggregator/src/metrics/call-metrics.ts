import type { PrometheusSeries } from './prometheus.ts';

/** `error`: reported by the tool. `fault`: a protocol or transport failure. */
export type Outcome = 'ok' | 'error' | 'fault';

interface CallCounts {
  calls: number;
  failures: number;
  /** Characters that a model wrote and read for these calls. */
  chars: number;
  /** Durations of the latest calls, oldest first. */
  readonly latestMs: number[];
}

export interface MeasuredCall {
  readonly upstream: string;
  readonly tool: string;
  readonly outcome: Outcome;
  readonly ms: number;
}

export interface UpstreamState {
  readonly key: string;
  readonly isUp: boolean;
  readonly restarts: number;
}

const LATEST = 40;
/** This many calls are buffered before the metrics library is loaded; reading the metrics loads it too. */
const MAX_WAITING = 1_000;

/** Counts calls per upstream and tool, for `atoll_status` and `/metrics`. */
export class CallMetrics {
  readonly #counts = new Map<string, CallCounts>();
  readonly #upstreams: () => Iterable<UpstreamState>;
  readonly #recorded: () => void;
  #waiting: MeasuredCall[] = [];
  #loading: Promise<PrometheusSeries> | undefined;
  #series: PrometheusSeries | undefined;

  constructor(upstreams: () => Iterable<UpstreamState>, recorded: () => void = () => {}) {
    this.#upstreams = upstreams;
    this.#recorded = recorded;
  }

  countsOf(upstream: string): CallCounts {
    let counts = this.#counts.get(upstream);
    if (!counts) {
      counts = { calls: 0, failures: 0, chars: 0, latestMs: [] };
      this.#counts.set(upstream, counts);
    }
    return counts;
  }

  record(call: MeasuredCall, chars: number): void {
    const { upstream, outcome, ms } = call;
    const counts = this.countsOf(upstream);
    counts.calls++;
    counts.chars += chars;
    if (outcome !== 'ok') counts.failures++;
    counts.latestMs.push(Math.round(ms * 10) / 10);
    if (counts.latestMs.length > LATEST) counts.latestMs.shift();
    if (this.#series) this.#series.record(call);
    else if (this.#waiting.push(call) > MAX_WAITING) void this.#load();
    this.#recorded();
  }

  /** In the format of Prometheus; only the series of the given upstreams, if any are given. */
  async text(keys?: ReadonlySet<string>): Promise<string> {
    return (await this.#load()).text(keys);
  }

  #load(): Promise<PrometheusSeries> {
    this.#loading ??= import('./prometheus.ts').then(({ PrometheusSeries }) => {
      this.#series = new PrometheusSeries(this.#upstreams);
      for (const call of this.#waiting.splice(0)) this.#series.record(call);
      return this.#series;
    });
    return this.#loading;
  }
}
