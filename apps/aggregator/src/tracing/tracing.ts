import type { Json, Outcome } from '@atoll-mcp/core';

/** One call that is being traced. */
interface CallTrace {
  /** The caller's `_meta` with the span as parent of what the upstream does. */
  readonly meta: Json;
  end(outcome: Outcome): void;
}

interface TracedTool {
  readonly upstream: string;
  /** The upstream's own name of the tool. */
  readonly tool: string;
}

/** Records calls as spans. Undefined unless enabled, so that it costs nothing otherwise. */
export interface Tracing {
  /** Below the span that the caller's `_meta` names, if any, as W3C Trace Context. */
  begin(tool: TracedTool, meta: Json): CallTrace;
  /** Flushes pending spans. */
  close(): Promise<void>;
}

/** Tracing to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names; nothing of it is loaded without that variable. */
export async function tracingOf(env: NodeJS.ProcessEnv, onMissing: () => void): Promise<Tracing | undefined> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return undefined;
  if (env.OTEL_SDK_DISABLED === 'true') return undefined;
  try {
    const { otlpTracing } = await import('./otlp-tracing.ts');
    return otlpTracing(env);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    onMissing();
    return undefined;
  }
}
