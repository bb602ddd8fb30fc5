import type {
  CallContext,
  ChangeEvent,
  Contract,
  HealthReport,
  Json,
  McpApp,
  ProgressReport,
  RequestContext,
  Tool,
} from '@atoll-mcp/core';
import {
  ConfirmationRequired,
  callTool,
  InputRequired,
  indexByName,
  inputSchemaOf,
  invalidParams,
  type JsonSchema,
  type Logger,
  methodNotFound,
  outputSchemaOf,
  safeToolName,
  silentLogger,
  type ToolNames,
} from '@atoll-mcp/core';
import type { HttpRoute } from './http/route.ts';
import { completeFor } from './methods/complete.ts';
import { confirmationQuestion, confirmer } from './methods/confirm.ts';
import { getPrompt, listedPrompts } from './methods/prompts.ts';
import { listResources, listTemplates, readResource } from './methods/resources.ts';
import { inputRequired } from './protocol/shared/input-required.ts';
import { UNCHANGING } from './protocol/shared/results.ts';
import { openedOnce, type ServiceSource } from './service-source.ts';
import { connectTransport, type MessageTransport } from './stdio/connect-transport.ts';

/** Opens the service if need be, and gives it as a caller may use it. */
export type ServiceOf<Service> = (caller?: Pick<RequestContext, 'limits'>) => Promise<Service>;

export interface ServerOptions<Service> {
  /** The service, or `{ open, close }`: then it is opened by the first call that needs it, never by `initialize`. */
  readonly service: ServiceSource<Service>;
  /** The service as a caller may use it, for services that can be limited; the service itself unless given. */
  readonly serviceFor?: (service: Service, caller: Pick<RequestContext, 'limits'>) => Service;
  readonly log?: Logger;
  readonly toolNames?: ToolNames;
  readonly now?: () => Date;
  /** Reads messages from their bytes where that is cheaper than JSON.parse; see `McpApp.parse`. */
  readonly parse?: McpApp['parse'];
  /** HTTP beside `/mcp`; a function gets the way to the opened service. */
  readonly routes?: readonly HttpRoute[] | ((service: ServiceOf<Service>) => readonly HttpRoute[]);
  /** Called with the address of `/mcp` once HTTP clients can reach it. */
  readonly onServed?: (url: string) => void;
  readonly health?: () => Promise<HealthReport>;
  /** Calls back when a list or a resource has changed; returns how to stop. */
  readonly onChange?: (listener: (event: ChangeEvent) => void) => () => void;
  /** Closes what is not the service's; called after the service is closed. */
  readonly close?: () => Promise<void>;
}

export interface AtollServer<Service> extends McpApp {
  readonly contract: Contract<Service>;
  readonly routes: readonly HttpRoute[];
  /** Opens the service if need be, for use without any protocol. */
  service(): Promise<Service>;
  /** Serves one client on any transport of the official SDK. */
  connect(transport: MessageTransport): Promise<void>;
}

/** A contract and its service as an app that every edge can carry. */
export function createServer<Service>(
  contract: Contract<Service>,
  options: ServerOptions<Service>,
): AtollServer<Service> {
  const log = options.log ?? silentLogger;
  const now = options.now ?? (() => new Date());
  const source = openedOnce(options.service);
  const service = source.get;
  const { serviceFor } = options;
  const serviceOf: ServiceOf<Service> =
    serviceFor === undefined ? service : async (caller = {}) => serviceFor(await service(), caller);
  const findTool = indexByName(contract.tools);
  const listed = memo((tool: Tool<Service>) => describe(tool, outputSchemaOf(contract, tool), options.toolNames));

  const contextOf = async (request: RequestContext): Promise<CallContext<Service>> => ({
    service: await serviceOf(request),
    signal: request.signal,
    client: request.client,
    log,
    now,
  });

  const methods: Record<string, (params: Json, request: RequestContext) => Promise<Json>> = {
    'tools/list': async () => ({ tools: contract.tools.map(listed), ...UNCHANGING }),
    'tools/call': async (params, request) => {
      const tool = typeof params.name === 'string' ? findTool(params.name) : undefined;
      if (!tool) throw invalidParams(`Unknown tool "${String(params.name)}"; tools/list lists all tools`);
      request.foundTool?.(listed(tool));
      const { signal, client } = request;
      try {
        const limited = () => serviceOf(request);
        const context = { service: limited, signal, client, log, now, progress: reporter(request), request };
        return {
          ...(await callTool(contract, tool, params.arguments, { ...context, confirm: confirmer(params, request) })),
        };
      } catch (error) {
        if (error instanceof ConfirmationRequired) return confirmationQuestion(params, error);
        if (error instanceof InputRequired) return inputRequired(error.inputRequests, error.requestState);
        throw error;
      }
    },
    ping: async () => ({}),
  };
  if (contract.resources) {
    const resources = contract.resources;
    methods['resources/list'] = async (params, request) =>
      listResources(resources, params.cursor, await contextOf(request));
    methods['resources/templates/list'] = async () => ({ ...listTemplates(resources), ...UNCHANGING });
    methods['resources/read'] = async (params, request) =>
      readResource(resources, params.uri, () => contextOf(request));
    if (options.onChange) methods['resources/subscribe'] = methods['resources/unsubscribe'] = async () => ({});
  }
  if (contract.prompts) {
    const prompts = contract.prompts;
    methods['prompts/list'] = async () => ({ ...listedPrompts(prompts), ...UNCHANGING });
    methods['prompts/get'] = async (params, request) => getPrompt(prompts, params, () => contextOf(request));
  }
  if (contract.resources || contract.prompts) {
    methods['completion/complete'] = async (params, request) => completeFor(contract, params, () => contextOf(request));
  }

  const app: AtollServer<Service> = {
    contract,
    info: { name: contract.name, version: contract.version, title: contract.title, description: contract.description },
    instructions: contract.instructions,
    routes: typeof options.routes === 'function' ? options.routes(serviceOf) : (options.routes ?? []),
    capabilities: () => ({
      tools: {},
      ...(contract.resources && { resources: options.onChange ? { subscribe: true, listChanged: true } : {} }),
      ...(contract.prompts && { prompts: {} }),
      ...((contract.resources || contract.prompts) && { completions: {} }),
    }),
    async handle(method, params, request) {
      const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!answer) throw methodNotFound(method);
      return answer(params, request);
    },
    tool(name) {
      const tool = findTool(name);
      return tool && listed(tool);
    },
    keywordsOf: (name) => findTool(name)?.keywords,
    ...(options.parse && { parse: options.parse }),
    ...(options.onServed && { served: options.onServed }),
    onChange: options.onChange ?? (() => () => {}),
    health: options.health ?? (async () => ({ status: 'ok' })),
    async close() {
      await source.close();
      await options.close?.();
    },
    service,
    connect: (transport) => connectTransport(app, transport),
  };
  return app;
}

function describe<Service>(tool: Tool<Service>, outputSchema: JsonSchema, names: ToolNames = 'original') {
  return {
    name: names === 'underscore' ? safeToolName(tool.name) : tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchemaOf(tool),
    // A schema that allows anything promises nothing, and older clients would get such a body wrapped.
    ...(Object.keys(outputSchema).length > 0 && { outputSchema }),
    annotations: { title: tool.title, ...tool.annotations },
    ...(tool.meta && { _meta: tool.meta }),
  };
}

function memo<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

function reporter(request: RequestContext) {
  return (report: ProgressReport) => {
    // Ignore write errors of a disconnected client.
    request.notify('notifications/progress', { ...report }).catch(() => {});
  };
}
