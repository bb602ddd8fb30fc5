import { Counter, Gauge, Histogram, Registry } from 'prom-client';

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

/** `error` is the tool's own failure, `fault` one of the protocol or of the way there. */
export type Outcome = 'ok' | 'error' | 'fault';

export interface Tally {
  calls: number;
  failures: number;
  /** How long the latest calls took, oldest first. */
  readonly latestMs: number[];
}

const LATEST = 40;

interface Line {
  readonly ok: Counter.Internal;
  readonly error: Counter.Internal;
  readonly fault: Counter.Internal;
  readonly seconds: Histogram.Internal<string>;
}

/** Counts calls per upstream and tool, for `atoll_status` and `/metrics`. */
export class CallBook {
  readonly #registry = new Registry();
  readonly #calls: Counter;
  readonly #seconds: Histogram;
  readonly #lines = new Map<string, Line>();
  readonly #tallies = new Map<string, Tally>();
  readonly #recorded: () => void;

  constructor(
    upstreams: () => Iterable<{ key: string; isUp: boolean; restarts: number }>,
    recorded: () => void = () => {},
  ) {
    this.#recorded = recorded;
    const registers = [this.#registry];
    this.#calls = new Counter({
      name: 'atoll_upstream_calls_total',
      help: 'Tool calls by upstream, tool and outcome',
      labelNames: ['upstream', 'tool', 'outcome'],
      registers,
    });
    this.#seconds = new Histogram({
      name: 'atoll_upstream_call_duration_seconds',
      help: 'Time from our sending a call to its answer',
      labelNames: ['upstream', 'tool'],
      buckets: BUCKETS,
      registers,
    });
    new Gauge({
      name: 'atoll_upstream_up',
      help: '1 while an upstream is usable',
      labelNames: ['upstream'],
      registers,
      collect() {
        this.reset();
        for (const { key, isUp } of upstreams()) this.set({ upstream: key }, isUp ? 1 : 0);
      },
    });
    new Gauge({
      name: 'atoll_upstream_restarts',
      help: 'How often an upstream was started again since Atoll began',
      labelNames: ['upstream'],
      registers,
      collect() {
        this.reset();
        for (const { key, restarts } of upstreams()) this.set({ upstream: key }, restarts);
      },
    });
  }

  tallyOf(upstream: string): Tally {
    let tally = this.#tallies.get(upstream);
    if (!tally) {
      tally = { calls: 0, failures: 0, latestMs: [] };
      this.#tallies.set(upstream, tally);
    }
    return tally;
  }

  record(upstream: string, tool: string, outcome: Outcome, ms: number): void {
    const tally = this.tallyOf(upstream);
    tally.calls++;
    if (outcome !== 'ok') tally.failures++;
    tally.latestMs.push(Math.round(ms * 10) / 10);
    if (tally.latestMs.length > LATEST) tally.latestMs.shift();
    const line = this.#lineOf(upstream, tool);
    line[outcome].inc();
    line.seconds.observe(ms / 1000);
    this.#recorded();
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  #lineOf(upstream: string, tool: string): Line {
    const key = `${upstream}\n${tool}`;
    let line = this.#lines.get(key);
    if (!line) {
      line = {
        ok: this.#calls.labels(upstream, tool, 'ok'),
        error: this.#calls.labels(upstream, tool, 'error'),
        fault: this.#calls.labels(upstream, tool, 'fault'),
        seconds: this.#seconds.labels(upstream, tool),
      };
      this.#lines.set(key, line);
    }
    return line;
  }
}
