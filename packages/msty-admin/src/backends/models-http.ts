import { ToolError } from '@atoll-mcp/core';
import {
  addToCompletion,
  type Completion,
  contextExceeded,
  emptyCompletion,
  eventReader,
} from '../domain/models/completion.ts';
import type { ServiceModel } from '../domain/models/model-facts.ts';
import { capabilitiesIn, contextLengthIn, mergeModels, readModelList } from '../domain/models/model-list.ts';
import { DIALECTS, type EndpointName } from '../domain/models/services.ts';
import { modelNotFound, promptTooLong, serviceGarbled, serviceRefused } from '../errors.ts';
import type {
  ChatRequest,
  ModelServices,
  RequestOptions,
  ServiceAddress,
  ServiceAnswer,
  ServiceProblem,
  ServiceState,
} from './interface.ts';
import { requestLoopback } from './loopback-http.ts';

const MB = 1024 * 1024;
const MAX_LIST_BYTES = 16 * MB;
const MAX_ANSWER_BYTES = 8 * MB;

/** Model services that speak OpenAI's or Ollama's HTTP, on 127.0.0.1 only. */
export function createHttpModels(): ModelServices {
  return { look, inspect, chat, request: requestAny };
}

async function look<Name extends EndpointName>(
  service: ServiceAddress<Name>,
  options: RequestOptions,
): Promise<ServiceState<Name>> {
  // Both requests at once, so that a service takes one timeout at most.
  const [models, further] = await Promise.all([
    listModels(service, options).catch(asProblem),
    moreFacts(service, options),
  ]);
  if ('code' in models) return { ...service, available: false, models: [], problem: models };
  return { ...service, available: true, models: mergeModels(models, further), problem: null };
}

function asProblem(error: unknown): ServiceProblem {
  if (!(error instanceof ToolError)) throw error;
  return { code: error.code, message: error.message, suggestion: error.suggestion };
}

async function listModels(service: ServiceAddress<EndpointName>, options: RequestOptions): Promise<ServiceModel[]> {
  const begun = performance.now();
  const openAi = await getJson(service, '/v1/models', options);
  // The second question has what is left of the time.
  const timeoutMs = Math.max(1, Math.ceil(options.timeoutMs - (performance.now() - begun)));
  const answer = openAi.status === 404 ? await getJson(service, '/api/tags', { ...options, timeoutMs }) : openAi;
  if (answer.status !== 200) throw serviceRefused(service.name, answer.status);
  const models = readModelList(answer.body);
  if (!models) throw serviceGarbled(service.name, 'did not answer with a list of models');
  return models;
}

/** What the service's own dialect tells beyond the list. Whatever fails here is simply not known. */
async function moreFacts(service: ServiceAddress<EndpointName>, options: RequestOptions): Promise<ServiceModel[]> {
  const list = (path: string) =>
    getJson(service, path, options).then(
      ({ status, body }) => (status === 200 ? (readModelList(body) ?? []) : []),
      () => [],
    );
  switch (DIALECTS[service.name]) {
    case 'ollama': {
      const [tags, running] = await Promise.all([list('/api/tags'), list('/api/ps')]);
      const loaded = new Set(running.map(({ id }) => id));
      return tags.map((model) => ({ ...model, loaded: loaded.has(model.id) }));
    }
    case 'lm_studio':
      return list('/api/v0/models');
    default:
      return [];
  }
}

async function inspect(service: ServiceAddress, model: ServiceModel, options: RequestOptions): Promise<ServiceModel> {
  const dialect = DIALECTS[service.name];
  if (dialect !== 'ollama' && dialect !== 'llamacpp') return model;
  const call =
    dialect === 'ollama'
      ? ({ method: 'POST', path: '/api/show', body: { model: model.id } } as const)
      : ({ method: 'GET', path: '/props' } as const);
  const answer = await requestAny(service, call, options).catch(() => undefined);
  if (answer?.status !== 200) return model;
  const capabilities = capabilitiesIn(answer.body);
  return {
    ...model,
    contextLength: contextLengthIn(answer.body) ?? model.contextLength,
    kind: capabilities.kind ?? model.kind,
    canSee: capabilities.canSee ?? model.canSee,
  };
}

type ChatOptions = RequestOptions & { readonly onText?: (characters: number) => void };

async function chat(service: ServiceAddress, request: ChatRequest, options: ChatOptions): Promise<Completion> {
  const streamed = await complete(service, request, options, true);
  // A service that refuses to stream may still answer in one piece.
  const completion = streamed ?? (await complete(service, request, options, false));
  if (!completion) throw serviceRefused(service.name, 400);
  return completion;
}

/** The completion, or undefined when the service refuses the form of the request. */
async function complete(
  service: ServiceAddress,
  request: ChatRequest,
  options: ChatOptions,
  stream: boolean,
): Promise<Completion | undefined> {
  const readEvents = eventReader();
  let completion = emptyCompletion;
  let isDone = false;
  const take = (event: string) => {
    if (event === '[DONE]') isDone = true;
    else if (event !== '') completion = extended(service, completion, parsed(service, event));
  };
  const answer = await requestLoopback(
    service,
    {
      method: 'POST',
      path: '/v1/chat/completions',
      maxBytes: MAX_ANSWER_BYTES,
      body: {
        model: request.model,
        messages: request.messages,
        temperature: request.temperature,
        max_tokens: request.maxTokens,
        stream,
        ...(stream && { stream_options: { include_usage: true } }),
      },
    },
    {
      ...options,
      onPiece(piece, isStream) {
        if (!isStream) return;
        for (const event of readEvents(piece)) take(event);
        options.onText?.(completion.text.length + completion.reasoning.length);
      },
    },
  );
  if (answer.status === 404) throw modelNotFound(request.model);
  if (answer.status === 400 || answer.status === 422) {
    const exceeded = contextExceeded(jsonOr(undefined, answer.text));
    if (exceeded) throw promptTooLong(request.model, exceeded.prompt, exceeded.context);
    return undefined;
  }
  if (answer.status !== 200) throw serviceRefused(service.name, answer.status);
  // Services that cannot stream answer in one piece.
  if (!answer.contentType.includes('text/event-stream')) {
    return extended(service, emptyCompletion, parsed(service, answer.text));
  }
  for (const event of readEvents('\n')) take(event);
  if (!isDone && completion.finishReason === null)
    throw serviceGarbled(service.name, 'closed the connection before the end of its answer');
  return completion;
}

async function requestAny(
  service: ServiceAddress<EndpointName>,
  call: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown },
  options: RequestOptions,
): Promise<ServiceAnswer> {
  const { status, text } = await requestLoopback(service, { ...call, maxBytes: MAX_ANSWER_BYTES }, options);
  return { status, body: jsonOr(text, text) };
}

async function getJson(
  service: ServiceAddress<EndpointName>,
  path: string,
  options: RequestOptions,
): Promise<ServiceAnswer> {
  const answer = await requestLoopback(service, { method: 'GET', path, maxBytes: MAX_LIST_BYTES }, options);
  return { status: answer.status, body: answer.status === 200 ? parsed(service, answer.text) : null };
}

function extended(service: ServiceAddress<EndpointName>, sofar: Completion, body: unknown): Completion {
  const next = addToCompletion(sofar, body);
  if (!next) throw serviceGarbled(service.name, 'did not answer with a completion');
  return next;
}

function jsonOr(fallback: unknown, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return fallback;
  }
}

function parsed(service: ServiceAddress<EndpointName>, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw serviceGarbled(service.name, 'did not answer with JSON', error);
  }
}
