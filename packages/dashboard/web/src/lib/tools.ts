import type { AdminServer } from './admin.ts';
import { ask, request, type Tool } from './mcp.ts';

/** The tools without which a page has nothing to show. */
const SUBJECTS = [
  'search_memory',
  'list_memories',
  'search_tensors',
  'embedding_batch',
  'analyse_msty_health',
  'list_versions',
  'memorylake_list_versions',
];

let listed: Promise<readonly Tool[]> | undefined;

/** Asked for once, and again after a failure. */
export function loadTools(): Promise<readonly Tool[]> {
  listed ??= listTools().catch((error) => {
    listed = undefined;
    throw error;
  });
  return listed;
}

async function listTools(): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page: { tools: Tool[]; nextCursor?: string } = await request('tools/list', cursor ? { cursor } : {});
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return [...tools, ...(await unlisted(tools))];
}

/** An endpoint that lists tools by search only still has them; those that the pages are about are asked for by name. */
async function unlisted(tools: readonly Tool[]): Promise<readonly Tool[]> {
  if (!tools.some(({ name }) => name === 'describe_tool')) return [];
  const missing = SUBJECTS.filter((name) => !tools.some((tool) => tool.name === name));
  const answers = await Promise.allSettled(missing.map((name) => ask<Tool>('describe_tool', { name })));
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
}

/** The name under which a tool with this argument is listed: another server may have one of the same name. */
export async function listedName(name: string, argument: string): Promise<string> {
  const tools = await loadTools();
  const named = tools.filter((tool) => tool.name === name || tool.name.endsWith(`_${name}`));
  return named.find(({ inputSchema }) => argument in ((inputSchema.properties ?? {}) as object))?.name ?? name;
}

/** The names of tools that do what the words say, the best first; none where the endpoint cannot tell. */
export async function toolsByMeaning(query: string, signal: AbortSignal): Promise<RelatedTools> {
  const answer = ask<{ tools: readonly { name: string }[]; ranked_by: string }>(
    'search_tools',
    { query, limit: 12 },
    { signal },
  );
  return answer.then(
    ({ tools, ranked_by: by }) => ({ names: tools.map(({ name }) => name), isByWords: by === 'words' }),
    () => ({ names: [], isByWords: false }),
  );
}

export interface RelatedTools {
  readonly names: readonly string[];
  /** Whether meaning could not be compared, or not yet. */
  readonly isByWords: boolean;
}

/** Tools by their server, in the order of the list; an empty name stands for the endpoint's own. */
export function groupTools(tools: readonly Tool[], servers: readonly Pick<AdminServer, 'key' | 'tools'>[]) {
  // Of tools with one name the first has it; later ones are listed behind the name of their server.
  const owners = new Map(
    servers.flatMap(({ key, tools: own }) => own.map(({ name }) => [plain(name), key] as const)).reverse(),
  );
  const groups = new Map<string, Tool[]>();
  for (const tool of tools) {
    const name = plain(tool.name);
    const prefixed = servers.find(({ key }) => name.startsWith(`${plain(key)}_`))?.key;
    const server = owners.get(name) ?? prefixed ?? '';
    groups.set(server, [...(groups.get(server) ?? []), tool]);
  }
  return [...groups].map(([server, own]) => ({ server, tools: own }));
}

/** As the endpoint lists it: dots and other signs of a server's own names become underscores. */
function plain(name: string): string {
  return name.replace(/\W/g, '_');
}
