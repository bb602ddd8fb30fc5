import {
  type ChangeEvent,
  invalidParams,
  type Json,
  type McpApp,
  methodNotFound,
  type RequestContext,
} from '@atoll-mcp/core';
import { asking, askingTools, elicit, inputRequiredTools } from './everything-questions.ts';
import { image, PNG, plainTools, text } from './everything-tools.ts';

/**
 * An app that has every fixture which the protocol's official conformance suite asks for, under the suite's own names.
 * Whatever carries it (an edge, the aggregator) can be held against that suite.
 */
export function everythingApp(): McpApp {
  const listeners = new Set<(event: ChangeEvent) => void>();
  const change = (event: ChangeEvent) => {
    for (const listener of listeners) listener(event);
  };
  const tools = { ...plainTools(change), ...askingTools, ...inputRequiredTools };
  const listed = Object.entries(tools).map(([name, { description, inputSchema }]) => ({
    name,
    description,
    inputSchema: inputSchema ?? { type: 'object' },
  }));
  const methods: Record<string, (params: Json, request: RequestContext) => Promise<Json>> = {
    'tools/list': async () => ({ tools: listed }),
    'tools/call': async ({ name, arguments: args }, request) => {
      const tool = Object.hasOwn(tools, String(name)) ? tools[String(name)] : undefined;
      if (!tool) throw invalidParams(`Unknown tool "${String(name)}"`);
      const definition = listed.find((tool) => tool.name === name);
      if (definition) request.foundTool?.(definition);
      return tool.call((args ?? {}) as Json, request);
    },
    'resources/list': async () => ({ resources: RESOURCES }),
    'resources/templates/list': async () => ({ resourceTemplates: [TEMPLATE] }),
    'resources/read': async ({ uri }) => read(String(uri)),
    'resources/subscribe': async () => ({}),
    'resources/unsubscribe': async () => ({}),
    'prompts/list': async () => ({ prompts: PROMPTS }),
    'prompts/get': prompt,
    'completion/complete': async ({ argument }) => completed(String((argument as Json)?.value ?? '')),
    'logging/setLevel': async () => ({}),
  };
  return {
    info: { name: 'everything', title: 'Everything', version: '1.0.0' },
    instructions: 'A server for tests: it has one of everything.',
    capabilities: () => ({
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
    }),
    async handle(method, params, request) {
      const answer = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!answer) throw methodNotFound(method);
      return answer(params, request);
    },
    tool: (name) => listed.find((tool) => tool.name === name),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    health: async () => ({ status: 'ok' }),
    close: async () => {},
  };
}

const resource = (uri: string, name: string, mimeType: string) => ({
  uri,
  name,
  mimeType,
  description: `A fixture: ${name}`,
});

const RESOURCES = [
  resource('test://static-text', 'Static text', 'text/plain'),
  resource('test://static-binary', 'Static binary', 'image/png'),
  resource('test://watched-resource', 'Watched resource', 'text/plain'),
];

const TEMPLATE = {
  uriTemplate: 'test://template/{id}/data',
  name: 'Template',
  description: 'Data of any id',
  mimeType: 'application/json',
};

function read(uri: string): Json {
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id) {
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    return { contents: [{ uri, mimeType: 'application/json', text: data }] };
  }
  if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] };
  const words: Record<string, string> = {
    'test://static-text': 'This is the content of the static text resource.',
    'test://watched-resource': 'Watched resource content',
  };
  const found = Object.hasOwn(words, uri) ? words[uri] : undefined;
  if (found === undefined) throw invalidParams('Resource not found', { uri });
  return { contents: [{ uri, mimeType: 'text/plain', text: found }] };
}

const argument = (name: string) => ({ name, description: `The argument ${name}`, required: true });

const PROMPTS = [
  { name: 'test_simple_prompt', description: 'A prompt without arguments' },
  {
    name: 'test_prompt_with_arguments',
    description: 'A prompt with two arguments',
    arguments: [argument('arg1'), argument('arg2')],
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'A prompt that holds a resource',
    arguments: [argument('resourceUri')],
  },
  { name: 'test_prompt_with_image', description: 'A prompt that holds a picture' },
  { name: 'test_input_required_result_prompt', description: 'A prompt that asks before it answers' },
];

async function prompt({ name, arguments: given }: Json, request: RequestContext): Promise<Json> {
  const args = (given ?? {}) as Json;
  const user = (content: object) => ({ role: 'user', content });
  switch (name) {
    case 'test_simple_prompt':
      return { messages: [user(text('This is a simple prompt for testing.'))] };
    case 'test_prompt_with_arguments':
      return { messages: [user(text(`Prompt with arguments: arg1='${args.arg1}', arg2='${args.arg2}'`))] };
    case 'test_prompt_with_embedded_resource': {
      const inner = { uri: args.resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' };
      const embedded = { type: 'resource', resource: inner };
      return { messages: [user(embedded), user(text('Please process the embedded resource above.'))] };
    }
    case 'test_prompt_with_image':
      return { messages: [user(image), user(text('Please analyze the image above.'))] };
    case 'test_input_required_result_prompt': {
      const question = elicit('What context should the prompt use?', { context: { type: 'string' } });
      return asking({ user_context: question }, request, ({ user_context }) => ({
        messages: [user(text(`Use this context: ${JSON.stringify(user_context?.content)}`))],
      }));
    }
    default:
      throw invalidParams(`Unknown prompt "${String(name)}"`);
  }
}

function completed(typed: string): Json {
  const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(typed));
  return { completion: { values, total: values.length, hasMore: false } };
}
