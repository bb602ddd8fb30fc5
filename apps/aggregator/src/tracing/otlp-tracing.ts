import { type Json, type Outcome, ProtocolFault } from '@atoll-mcp/core';
import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { VERSION } from '../contract.ts';
import type { Tracing } from './tracing.ts';

const METHOD = 'tools/call';
const propagator = new W3CTraceContextPropagator();

/** Spans by OpenTelemetry's SDK. The exporter reads its own variables: endpoint, headers, timeout, compression. */
export function otlpTracing(env: NodeJS.ProcessEnv): Tracing {
  const resource = resourceFromAttributes({
    'service.name': env.OTEL_SERVICE_NAME ?? 'atoll',
    'service.version': VERSION,
  });
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  const provider = new BasicTracerProvider({ resource, spanProcessors });
  const tracer = provider.getTracer('atoll', VERSION);
  return {
    begin({ upstream, tool }, meta) {
      const attributes = {
        'mcp.method.name': METHOD,
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'atoll.upstream': upstream,
      };
      // Malformed values are ignored, as the standard requires.
      const parent = propagator.extract(ROOT_CONTEXT, meta, metaGetter);
      const span = tracer.startSpan(`${METHOD} ${tool}`, { kind: SpanKind.CLIENT, attributes }, parent);
      const below: Json = { ...meta };
      propagator.inject(trace.setSpan(parent, span), below, defaultTextMapSetter);
      return { meta: below, end: (outcome) => end(span, outcome) };
    },
    close: () => provider.shutdown(),
  };
}

const metaGetter = {
  keys: (meta: Json) => defaultTextMapGetter.keys(meta),
  get: (meta: Json, key: string) => (typeof meta[key] === 'string' ? meta[key] : undefined),
};

function end(span: Span, outcome: Outcome): void {
  const type = errorType(outcome);
  if (type !== undefined) {
    span.setAttribute('error.type', type);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Without messages, which may hold what a user sent. */
function errorType(outcome: Outcome): string | undefined {
  if (outcome instanceof ProtocolFault) return String(outcome.code);
  if (outcome instanceof Error) return outcome.name;
  return outcome.isError === true ? 'tool_error' : undefined;
}
