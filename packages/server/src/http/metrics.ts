import type { McpApp, Principal } from '@atoll-mcp/core';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Answer, RpcRequest } from '../protocol/shared/json-rpc.ts';

/** Any other method is counted under one name: callers must not be able to fill the memory with names. */
const METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'subscriptions/listen',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
]);

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export interface Metrics {
  readonly observe: (request: RpcRequest, answer: Answer | undefined, startedAt: number) => void;
  readonly contentType: string;
  /** A caller that is limited to views gets only what the app tells of those. */
  text(principal?: Principal): Promise<string>;
}

let processRegistry: Registry | undefined;

/** Memory, processor and the delay of the event loop are the process's, however many endpoints it has. */
function ofProcess(): Registry {
  if (!processRegistry) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
  }
  return processRegistry;
}

/** Figures of one endpoint, in Prometheus' form. */
export function createMetrics(app: McpApp, sessions: () => number): Metrics {
  const registry = new Registry();
  const registers = [registry];
  ofProcess();
  registry.setDefaultLabels({ server: app.info.name });
  const labelNames = ['method', 'tool'] as const;
  const calls = new Counter({ name: 'mcp_requests_total', help: 'Requests answered', labelNames, registers });
  const failures = new Counter({
    name: 'mcp_request_failures_total',
    help: 'Requests that failed, by the code of the tool or of the protocol',
    labelNames: [...labelNames, 'code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'mcp_request_duration_seconds',
    help: 'Time from the whole request to its answer',
    labelNames,
    buckets: BUCKETS,
    registers,
  });
  new Gauge({
    name: 'mcp_sessions',
    help: 'Open sessions of clients older than 2026-07-28',
    registers,
    collect() {
      this.set(sessions());
    },
  });
  const known = new Map<string, { calls: Counter.Internal; seconds: Histogram.Internal<'method' | 'tool'> }>();
  return {
    contentType: registry.contentType,
    observe(request, answer, startedAt) {
      const method = METHODS.has(request.method) ? request.method : 'other';
      const name = method === 'tools/call' ? request.params?.name : '';
      // A name that was counted once is a tool's: it is not looked up for every call.
      let child = typeof name === 'string' ? known.get(`${method} ${name}`) : undefined;
      const tool = child ? String(name) : method === 'tools/call' ? toolLabel(app, request, answer) : '';
      if (!child) {
        const key = `${method} ${tool}`;
        child = known.get(key) ?? { calls: calls.labels(method, tool), seconds: seconds.labels(method, tool) };
        known.set(key, child);
      }
      child.calls.inc();
      child.seconds.observe((performance.now() - startedAt) / 1000);
      const code = answer ? (answer.failure ?? answer.fault) : 'cancelled';
      if (code !== undefined && request.method !== 'subscriptions/listen')
        failures.labels(method, tool, String(code)).inc();
    },
    async text(principal) {
      if (principal?.views !== undefined) return (await app.metrics?.({ principal })) ?? '';
      const parts = await Promise.all([registry.metrics(), ofProcess().metrics(), app.metrics?.()]);
      return parts.filter(Boolean).join('\n');
    },
  };
}

/** Only tools that exist get a name of their own; a call that reached one did not end in a protocol fault. */
function toolLabel(app: McpApp, { params }: RpcRequest, answer: Answer | undefined): string {
  const name = params?.name;
  if (typeof name !== 'string') return 'unknown';
  if (app.tool) return app.tool(name, { era: 'modern' }) ? name : 'unknown';
  return answer && answer.fault === undefined ? name : 'unknown';
}
