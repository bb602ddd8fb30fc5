import { ALLOWED_TABLES, type AllowedTable, isAllowedTable } from './allowed-tables.ts';

/** `drizzle` is Studio 2.x, `legacy` the snake_case tables of Msty 1.x. */
export type MstySchema = 'drizzle' | 'legacy';

/** What a SQLite file may turn out to be. */
export type Schema = MstySchema | 'chromium_shared_storage' | 'unknown';

/** What the inventory tools show beyond the allow-list. Callers cannot name these tables. */
export type StudioTable =
  | AllowedTable
  | 'workspaces'
  | 'turnstiles'
  | 'toolsets'
  | 'usage'
  | 'crews'
  | 'shadow_personas'
  | 'live_contexts'
  | 'projects'
  | 'skills'
  | 'agent_plans'
  | 'tool_configs'
  | 'user_personas'
  | 'skill_folders'
  | 'attachment_folders'
  | 'schema_migrations';

const CONVERSATIONS = ['chat_sessions', 'conversations', 'chats'];
const MESSAGES = ['chat_messages', 'messages'];
const PROMPTS = ['prompts', 'prompt_library'];
const TOOLS = ['tools', 'mcp_tools'];

const STUDIO_TABLES: Partial<Record<StudioTable, string>> = {
  chats: 'conversationTexts',
  conversations: 'conversationTexts',
  chat_sessions: 'conversationTexts',
  messages: 'conversationTextMessages',
  chat_messages: 'conversationTextMessages',
  prompts: 'promptsLibraryPrompts',
  prompt_library: 'promptsLibraryPrompts',
  tools: 'tools',
  mcp_tools: 'tools',
  knowledge_stacks: 'knowledgeStacks',
  providers: 'languageModelsProviders',
  usage: 'insightsLanguageModelUsage',
  shadow_personas: 'shadowPersonas',
  live_contexts: 'liveContexts',
  projects: 'conversationTextProjects',
  skills: 'skill_preferences',
  agent_plans: 'agentModePlans',
  tool_configs: 'toolConfigs',
  user_personas: 'userPersonas',
  skill_folders: 'skillFolders',
  attachment_folders: 'attachmentsStudioFolders',
  schema_migrations: '__drizzle_migrations',
};

const LEGACY_TABLES: Partial<Record<StudioTable, readonly string[]>> = {
  chats: CONVERSATIONS,
  conversations: CONVERSATIONS,
  chat_sessions: CONVERSATIONS,
  messages: MESSAGES,
  chat_messages: MESSAGES,
  prompts: PROMPTS,
  prompt_library: PROMPTS,
  tools: TOOLS,
  mcp_tools: TOOLS,
};

/** Which of the known schemas a list of table names belongs to. */
export function schemaOf(tables: readonly string[]): Schema {
  const present = new Set(tables);
  if (present.has('conversationTexts') || present.has('languageModelsProviders') || present.has('knowledgeStacks')) {
    return 'drizzle';
  }
  if (tables.some(isAllowedTable)) return 'legacy';
  return present.has('values_mapping') && present.has('per_origin_mapping') ? 'chromium_shared_storage' : 'unknown';
}

/** The tables that hold what a logical name means, the preferred one first; none when this database lacks it. */
export function physicalTables(name: StudioTable, schema: MstySchema, tables: readonly string[]): string[] {
  const legacy = LEGACY_TABLES[name] ?? [];
  const candidates = schema === 'drizzle' ? [STUDIO_TABLES[name] ?? name, name, ...legacy] : [name, ...legacy];
  return [...new Set(candidates)].filter((candidate) => tables.includes(candidate));
}

/** The logical names under which a table can be asked for. */
export function logicalNames(table: string, schema: MstySchema, tables: readonly string[]): AllowedTable[] {
  return ALLOWED_TABLES.filter((name) => physicalTables(name, schema, tables)[0] === table);
}

/** A name as SQL wants it: the only way a table or column gets into a statement. */
export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
