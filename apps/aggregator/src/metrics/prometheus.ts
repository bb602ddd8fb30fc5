import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { MeasuredCall, UpstreamState } from './call-metrics.ts';

const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];

interface ToolSeries {
  readonly ok: Counter.Internal;
  readonly error: Counter.Internal;
  readonly fault: Counter.Internal;
  readonly seconds: Histogram.Internal<string>;
}

/** Calls and upstreams in the format of Prometheus. */
export class PrometheusSeries {
  readonly #registry = new Registry();
  readonly #calls: Counter;
  readonly #seconds: Histogram;
  readonly #series = new Map<string, ToolSeries>();

  constructor(upstreams: () => Iterable<UpstreamState>) {
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

  record({ upstream, tool, outcome, ms }: MeasuredCall): void {
    const series = this.#seriesOf(upstream, tool);
    series[outcome].inc();
    series.seconds.observe(ms / 1000);
  }

  /** Only the series of the given upstreams, if any are given. */
  async text(keys?: ReadonlySet<string>): Promise<string> {
    const text = await this.#registry.metrics();
    if (!keys) return text;
    const isShown = (line: string) => {
      const upstream = /[{,]upstream="((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
      return upstream === undefined || keys.has(upstream.replace(/\\(.)/g, '$1'));
    };
    return text.split('\n').filter(isShown).join('\n');
  }

  #seriesOf(upstream: string, tool: string): ToolSeries {
    const key = `${upstream}\n${tool}`;
    let series = this.#series.get(key);
    if (!series) {
      series = {
        ok: this.#calls.labels(upstream, tool, 'ok'),
        error: this.#calls.labels(upstream, tool, 'error'),
        fault: this.#calls.labels(upstream, tool, 'fault'),
        seconds: this.#seconds.labels(upstream, tool),
      };
      this.#series.set(key, series);
    }
    return series;
  }
}
