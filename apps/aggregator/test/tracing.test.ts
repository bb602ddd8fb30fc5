import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createAtollServer } from '../src/index.ts';
import { tracingOf } from '../src/tracing/tracing.ts';
import { connectAskable, textOf } from './clients.ts';
import { after, configOf, journalOf, legacyServer, tempDir } from './harness.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: { key: string; value: { stringValue: string } }[];
}

/** Receives what an OTLP exporter sends over HTTP. */
async function collector() {
  const spans: ReceivedSpan[] = [];
  const services: string[] = [];
  const http = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.url === '/v1/traces') {
      for (const { resource, scopeSpans } of JSON.parse(Buffer.concat(parts).toString()).resourceSpans) {
        services.push(JSON.stringify(resource));
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  after(() => {
    http.closeAllConnections();
    http.close();
  });
  return { spans, services, url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` };
}

test('each call is a span below the caller’s, and its context reaches the upstream', async () => {
  const { spans, services, url } = await collector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', url);
  after(() => vi.unstubAllEnvs());
  const tracing = await tracingOf(process.env, () => {});
  const journal = `${tempDir()}/journal`;
  const config = configOf({ mcpServers: { other: legacyServer({ FIXTURE_JOURNAL: journal }) } });
  const app = createAtollServer(config, { env: { PATH: process.env.PATH }, ...(tracing && { tracing }) });
  const { client } = await connectAskable(app, 'legacy');
  await client.listTools();
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const _meta = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, tracestate: 'vendor=1', 'example.org/own': 'kept' };
  expect(textOf(await client.callTool({ name: 'other_echo', arguments: { text: 'hi' }, _meta }))).toBe('hi');
  await client.callTool({ name: 'other_echo', arguments: { text: 'x' }, _meta: { traceparent: 'nonsense' } });
  await client.callTool({ name: 'atoll_status', arguments: {} });
  await app.close();
  const first = spans.find((span) => span.traceId === traceId);
  expect(first).toMatchObject({ name: 'tools/call echo', parentSpanId: '00f067aa0ba902b7', kind: 3 });
  const attributes = Object.fromEntries((first?.attributes ?? []).map(({ key, value }) => [key, value.stringValue]));
  expect(attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'echo',
    'atoll.upstream': 'other',
  });
  expect(spans.map(({ name }) => name)).toEqual(['tools/call echo', 'tools/call echo', 'tools/call atoll_status']);
  expect(services[0]).toContain('"atoll"');
  const calls = journalOf(journal).filter(({ method }) => method === 'tools/call');
  expect(calls[0]?.params?._meta).toMatchObject({
    traceparent: `00-${traceId}-${first?.spanId}-01`,
    tracestate: 'vendor=1',
    'example.org/own': 'kept',
  });
  expect(calls[1]?.params?._meta).toMatchObject({ traceparent: expect.stringContaining(spans[1]?.traceId ?? '') });
});

test('nothing is traced unless a collector is named', async () => {
  expect(await tracingOf({}, () => {})).toBeUndefined();
  expect(
    await tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_SDK_DISABLED: 'true' }, () => {}),
  ).toBeUndefined();
});
