import { setTimeout as pause } from 'node:timers/promises';
import { type ChangeEvent, type Json, ProtocolFault, type RequestContext } from '@atoll-mcp/core';

export interface EverythingTool {
  readonly description: string;
  readonly inputSchema?: Json;
  call(args: Json, request: RequestContext): Promise<Json>;
}

/** The smallest picture and the shortest sound there are. */
export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

export const text = (words: string) => ({ type: 'text', text: words });
export const image = { type: 'image', data: PNG, mimeType: 'image/png' };
export const says = (...content: readonly object[]): Json => ({ content });

/** Tools that need no capability of the client. */
export function plainTools(change: (event: ChangeEvent) => void): Record<string, EverythingTool> {
  return {
    test_simple_text: {
      description: 'Answers with text',
      call: async () => says(text('This is a simple text response for testing.')),
    },
    test_image_content: { description: 'Answers with a picture', call: async () => says(image) },
    test_audio_content: {
      description: 'Answers with a sound',
      call: async () => says({ type: 'audio', data: WAV, mimeType: 'audio/wav' }),
    },
    test_embedded_resource: {
      description: 'Answers with a resource',
      call: async () =>
        says(embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')),
    },
    test_multiple_content_types: {
      description: 'Answers with text, a picture and a resource',
      call: async () =>
        says(
          text('Multiple content types test:'),
          image,
          embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
        ),
    },
    test_error_handling: {
      description: 'Always fails',
      call: async () => ({ ...says(text('This tool intentionally returns an error for testing')), isError: true }),
    },
    test_tool_with_logging: {
      description: 'Logs three times while it works',
      call: async (_args, request) => {
        await logged(request, ['Tool execution started', 'Tool processing data', 'Tool execution completed']);
        return says(text('Tool with logging executed successfully'));
      },
    },
    test_logging_tool: {
      description: 'Logs once',
      call: async (_args, request) => {
        await logged(request, ['A line of the log']);
        return says(text('Logged, if anyone wanted to know'));
      },
    },
    test_tool_with_progress: {
      description: 'Reports progress three times',
      call: async (_args, request) => {
        for (const progress of [0, 50, 100]) {
          await request.notify('notifications/progress', { progress, total: 100 });
          if (progress < 100) await pause(50);
        }
        return says(text('Done'));
      },
    },
    test_trigger_tool_change: {
      description: 'Says that the list of tools has changed',
      call: async () => changed(change, 'tools'),
    },
    test_trigger_prompt_change: {
      description: 'Says that the list of prompts has changed',
      call: async () => changed(change, 'prompts'),
    },
    test_missing_capability: {
      description: 'Needs a client that offers sampling',
      call: async (_args, { capabilities }) => {
        if (capabilities.sampling) return says(text('The client offers sampling'));
        throw new ProtocolFault(-32021, 'This tool needs sampling', { requiredCapabilities: { sampling: {} } });
      },
    },
    test_x_mcp_header: {
      description: 'Wants one argument repeated in a header',
      inputSchema: {
        type: 'object',
        properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
        required: ['region'],
      },
      call: async ({ region }) => says(text(`Region: ${String(region)}`)),
    },
    json_schema_2020_12_tool: {
      description: 'Has a schema with everything that 2020-12 brought',
      inputSchema: SCHEMA_2020_12,
      call: async (args) => says(text(`Called with ${JSON.stringify(args)}`)),
    },
  };
}

function embedded(uri: string, mimeType: string, content: string): object {
  return { type: 'resource', resource: { uri, mimeType, text: content } };
}

function changed(change: (event: ChangeEvent) => void, kind: 'tools' | 'prompts'): Json {
  change({ kind });
  return says(text(`The list of ${kind} has changed`));
}

async function logged(request: RequestContext, lines: readonly string[]): Promise<void> {
  for (const [index, data] of lines.entries()) {
    if (index > 0) await pause(50);
    await request.notify('notifications/message', { level: 'info', logger: 'everything', data });
  }
}

const SCHEMA_2020_12: Json = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
