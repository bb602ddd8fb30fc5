import { callTool, type HealthReport, type Logger } from '@atoll-mcp/core';
import type { HttpRoute } from '@atoll-mcp/server';
import { contract } from '../contract.ts';
import { notJson } from '../errors.ts';
import type { EmbeddingService } from '../service.ts';
import { type Failure, nameModel, parseBody, sendFailure, sendJson } from './reply.ts';

const paths = [
  { method: 'POST', path: '/embed', tool: 'embedding.generate' },
  { method: 'POST', path: '/embeddings', tool: 'embedding.batch' },
  { method: 'POST', path: '/verify', tool: 'embedding.verify' },
  { method: 'GET', path: '/model-info', tool: 'model.info' },
  { method: 'GET', path: '/health', tool: 'health.status' },
] as const;

/** The original's HTTP API: the same tools with the same arguments and answers, failures under `error`. */
export function toolRoutes(service: EmbeddingService, log: Logger): HttpRoute[] {
  return paths.map(({ method, path, tool: name }) => {
    const tool = contract.tools.find((each) => each.name === name)!;
    return {
      method,
      path,
      public: path === '/health',
      async handle(request, response, { client, signal, body, isKnown, health }) {
        const args = method === 'POST' ? parseBody(await body()) : queryOf(request.url);
        if (args === undefined) {
          const { code, message, details } = notJson();
          return sendFailure(response, { code, message }, 422, { error: { code, message, details } });
        }
        const options = { service, client, signal, log, now: () => new Date(), progress: () => {} };
        const { structuredContent: answer, isError } = await callTool(contract, tool, args, options);
        const structuredContent =
          path === '/health' ? { ...(answer as object), ...problemsIn(await health()) } : answer;
        if (isError) {
          const failure = structuredContent as Failure;
          sendFailure(response, failure, 422, { error: failure });
        } else if (isKnown) {
          nameModel(response, identityIn(structuredContent));
          sendJson(response, 200, structuredContent);
        } else {
          sendJson(response, 200, { status: (structuredContent as { status: string }).status });
        }
      },
    };
  });
}

/** What the program knows beside the model: a missing data folder, a full disk, rejections that nothing handled. */
function problemsIn({ status, model: _, ...problems }: HealthReport): object {
  return status === 'ok' ? {} : { ...problems, status: 'degraded' };
}

/** The identity of the model, wherever the body has it. */
function identityIn(body: unknown): unknown {
  const { metadata, extras } = body as { metadata?: { identity?: unknown }; extras?: { identity?: unknown } };
  return (metadata ?? extras)?.identity;
}

/** `GET /model-info?model=…` names a model as the tool does. */
function queryOf(url = '/'): Record<string, string> {
  return Object.fromEntries(new URL(url, 'http://localhost').searchParams);
}
