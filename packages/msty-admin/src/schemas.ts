import { z } from 'zod';
import { SERVICE_NAMES } from './domain/models/services.ts';
import { TAGS } from './domain/models/tags.ts';
import { toWire } from './domain/wire-names.ts';

export { QUALITY_CATEGORIES } from './domain/models/quality.ts';
export { USE_CASES } from './domain/models/routing.ts';
export { SERVICE_NAMES } from './domain/models/services.ts';
export { TAGS } from './domain/models/tags.ts';
export { ALLOWED_TABLES } from './domain/studio/allowed-tables.ts';
export { PERSONA_TEMPLATES } from './domain/studio/persona.ts';
export { TIMEFRAMES } from './domain/studio/timeframe.ts';
export { TEMPLATE_CATEGORIES } from './domain/template.ts';
export { toWire } from './domain/wire-names.ts';

/** The groups in which tools are offered. */
export const TOOLSETS = [
  'install',
  'config',
  'services',
  'intelligence',
  'calibration',
  'models',
  'conversations',
  'templates',
  'system',
  'inventory',
  'lifecycle',
] as const;

/** What is offered unless it is asked for: lifecycle changes what is loaded and installed. */
export const DEFAULT_TOOLSETS: readonly Toolset[] = TOOLSETS.filter((toolset) => toolset !== 'lifecycle');

/** The services whose models can be managed. */
const MANAGED_SERVICES = ['local_ai', 'llamacpp', 'ollama', 'lm_studio'] as const;

export const QUERY_TYPES = ['stats', 'tables', 'conversations', 'personas', 'prompts', 'tools', 'custom'] as const;

export type QueryType = (typeof QUERY_TYPES)[number];

export type Toolset = (typeof TOOLSETS)[number];

/** What `get_studio_entity` can show. */
export const ENTITIES = [
  'workspaces',
  'personas',
  'shadow_personas',
  'user_personas',
  'crews',
  'knowledge_stacks',
  'prompts',
  'tools',
  'tool_configs',
  'toolsets',
  'turnstiles',
  'live_contexts',
  'skills',
  'skill_folders',
  'agent_plans',
  'conversations',
  'projects',
  'attachments',
  'attachment_folders',
  'providers',
] as const;

export const limit = (fallback: number, max: number, what = 'Maximum rows') =>
  z.int().min(1).max(max).default(fallback).describe(what);

export const days = z.int().min(1).max(3650).default(30).describe('Days to look back');

export const path = (description: string) => z.string().min(1).max(4096).optional().describe(description);

export const modelId = z.string().min(1).max(1000);

export const message = z.string().min(1).max(1_000_000);

export const row = z.record(z.string(), z.unknown());

/** Which schema the database has: `drizzle` is Studio 2.x, `legacy` is Msty 1.x. */
export const found = {
  schema: z.enum(['drizzle', 'legacy']),
  stale_possible: z.boolean().describe('True when writes of the last moments may be missing'),
};

const serviceState = z.object({
  port: z.int(),
  available: z.boolean(),
  model_count: z.int(),
  problem: z.string().nullable().describe('Why the service is not available'),
});

export const byService = z.partialRecord(z.enum(SERVICE_NAMES), serviceState);

export function byServiceFrom<State extends object>(states: Readonly<Record<string, State>>) {
  return Object.fromEntries(Object.entries(states).map(([name, state]) => [name, toWire(state)]));
}

export const listedModel = z.object({
  id: z.string(),
  _service: z.enum(SERVICE_NAMES),
  _port: z.int(),
  tags: z.array(z.enum(TAGS)),
  context_length: z.int().nullable(),
  parameters_b: z.number().nullable(),
  quantisation: z.string().nullable(),
  size_gb: z.number().nullable(),
  loaded: z.boolean().nullable(),
});

/** A model with its service and port under the names that Msty Admin's documents give them. */
export function listedModelFrom<Service, Facts extends object>({
  service: _service,
  port: _port,
  ...facts
}: Facts & { readonly service: Service; readonly port: number }) {
  return { ...toWire(facts), _service, _port };
}

export const recommendation = z.object({
  model_id: z.string(),
  service: z.enum(SERVICE_NAMES),
  score: z.number(),
  tags: z.array(z.enum(TAGS)),
  reason: z.string(),
});

export const managedService = z
  .enum(MANAGED_SERVICES)
  .optional()
  .describe('Only on this service; the first that has the model when left out');

export const keepAliveMinutes = z
  .number()
  .min(-1)
  .max(525_600)
  .refine((minutes) => minutes >= 0 || minutes === -1, 'must be -1 or at least 0')
  .describe('Minutes that the model stays loaded without use; -1 for no limit');

export const loadedModel = z.object({
  model_id: z.string(),
  service: z.enum(SERVICE_NAMES),
  memory_gb: z.number().nullable(),
  expires_at: z.string().nullable(),
});

/** What loading a model means for those that are loaded. */
export const loadPlan = z.object({
  model_id: z.string(),
  service: z.enum(SERVICE_NAMES),
  already_loaded: z.boolean(),
  needed_gb: z.number().nullable(),
  available_gb: z.number().describe('System memory that is free now'),
  fits: z.boolean().nullable().describe('Whether it fits beside what stays'),
  stays: z.array(loadedModel),
  evicted: z.array(loadedModel.extend({ reason: z.string() })).describe('What the service unloads by itself'),
  unload_first: z.array(loadedModel).describe('What has to be unloaded so that it fits'),
});

interface PlanLists {
  readonly stays: readonly object[];
  readonly evicted: readonly object[];
  readonly unloadFirst: readonly object[];
}

export function loadPlanFrom<Plan extends PlanLists>(plan: Plan) {
  const { stays, evicted, unloadFirst, ...facts } = plan;
  return {
    ...toWire(facts),
    stays: stays.map((model: Plan['stays'][number]) => toWire(model)),
    evicted: evicted.map((model: Plan['evicted'][number]) => toWire(model)),
    unload_first: unloadFirst.map((model: Plan['unloadFirst'][number]) => toWire(model)),
  };
}

export const tokens = z.object({
  prompt: z.int().nullable(),
  completion: z.int().nullable(),
  total: z.int().nullable(),
});

export const timing = z.object({ total_ms: z.int(), tokens_per_second: z.number().nullable() });

export const chatAnswer = z.object({ response: z.string(), model: z.string(), tokens, timing });

export function chatAnswerFrom(reply: {
  readonly text: string;
  readonly modelId: string;
  readonly usage: z.output<typeof tokens> | null;
  readonly totalMs: number;
  readonly tokensPerSecond: number | null;
}): z.output<typeof chatAnswer> {
  const { prompt = null, completion = null, total = null } = reply.usage ?? {};
  return {
    response: reply.text,
    model: reply.modelId,
    tokens: { prompt, completion, total },
    timing: { total_ms: reply.totalMs, tokens_per_second: reply.tokensPerSecond },
  };
}

export const template = z.object({
  name: z.string(),
  template: z.string(),
  description: z.string(),
  variables: z.array(z.string()),
  preferred_model: z.string().nullable(),
  category: z.string(),
  use_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const persona = z.object({
  name: z.string(),
  description: z.string(),
  system_prompt: z.string(),
  temperature: z.number(),
  model_preference: z.string().nullable(),
});

export const advice = z.object({ subject: z.string(), issue: z.string(), suggestion: z.string() });

export const cacheStats = z.object({ hits: z.int(), misses: z.int(), total_entries: z.int() });

export const scoreBasis = z.string().describe('What the scores judge, and what they do not');

/** Rows of one of Studio's tables with JSON columns parsed. */
export const inventory = z.object({ items: z.array(row), count: z.int(), total: z.int(), ...found });

export const inventoryWithFolders = inventory.extend({
  folders: z.array(row).nullable().describe('Null when this database has no table of folders'),
});

/** Codes that more than one tool names, by what can go wrong. */
export const codes = {
  input: ['INVALID_PARAMETER'],
  required: ['MISSING_PARAMETER', 'INVALID_PARAMETER'],
  database: ['DATABASE_NOT_FOUND', 'DATABASE_CONNECTION_ERROR', 'QUERY_ERROR'],
  service: ['SERVICE_UNAVAILABLE', 'API_ERROR', 'TIMEOUT_ERROR'],
  model: ['MODEL_NOT_FOUND', 'MODEL_ERROR'],
  /** Files that a call names, and this server's own data. */
  files: ['PERMISSION_ERROR', 'IO_ERROR'],
} as const;

/** The four hints for tools that only look. */
export const looks = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** For tools that ask a model: the answer differs each time and is written down as a measurement. */
export const asksModel = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
} as const;
