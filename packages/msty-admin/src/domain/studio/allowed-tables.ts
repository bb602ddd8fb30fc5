/** The names a caller may ask for. They are logical: what they mean depends on the schema that was found. */
export const ALLOWED_TABLES = [
  'chats',
  'messages',
  'personas',
  'prompts',
  'mcp_tools',
  'tools',
  'knowledge_stacks',
  'models',
  'settings',
  'conversations',
  'users',
  'attachments',
  'embeddings',
  'tags',
  'folders',
  'providers',
  'chat_sessions',
  'chat_messages',
  'prompt_library',
] as const;

export type AllowedTable = (typeof ALLOWED_TABLES)[number];

const allowed: ReadonlySet<string> = new Set(ALLOWED_TABLES);

export function isAllowedTable(name: string): name is AllowedTable {
  return allowed.has(name);
}
