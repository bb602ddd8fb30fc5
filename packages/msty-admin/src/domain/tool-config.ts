import { isObject, type Json, tryParseJson } from '@atoll-mcp/core';
import { REDACTED, redact } from './secrets/redact.ts';
import { isSecretName } from './secrets/secret-names.ts';

/** One MCP server as Claude Desktop configures it. */
export interface ToolConfig {
  readonly name: string;
  readonly command: string | null;
  readonly args: readonly string[];
  readonly url: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
}

interface ToolConfigs {
  readonly tools: readonly ToolConfig[];
  /** One sentence for each entry that cannot be used, and why. */
  readonly problems: readonly string[];
}

/** Reads `{mcpServers: {…}}`, the bare map inside it, a list of tools, or one tool of Msty's. */
export function readToolConfigs(config: unknown): ToolConfigs {
  const problems: string[] = [];
  const tools = namedEntries(config).flatMap(([name, entry]) => {
    const tool = toolFrom(name, entry);
    if (typeof tool === 'string') problems.push(tool);
    return typeof tool === 'string' ? [] : [tool];
  });
  if (tools.length === 0 && problems.length === 0) problems.push('No tools found: expected an "mcpServers" object');
  return { tools, problems };
}

interface ShownToolConfig extends ToolConfig {
  readonly envNames: string[];
}

/** Without environment and headers, and with secrets redacted; `envNames` says what has to be filled in. */
export function withoutSecrets(tool: ToolConfig): ShownToolConfig {
  const plain = redact({ args: [...tool.args], url: tool.url });
  return { ...tool, args: plain.args, url: plain.url, env: {}, headers: {}, envNames: Object.keys(tool.env) };
}

/** The same with the names of variables and headers, whose values are redacted. */
export function withNamesOnly(tool: ToolConfig): ShownToolConfig {
  const names = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.keys(values).map((name) => [name, REDACTED]));
  return { ...withoutSecrets(tool), env: names(tool.env), headers: names(tool.headers) };
}

/** As Claude Desktop writes it. */
export function asClaudeEntry(tool: ToolConfig): Json {
  return {
    ...(tool.command !== null && { command: tool.command, args: [...tool.args] }),
    ...(tool.url !== null && { url: tool.url }),
    ...(Object.keys(tool.env).length > 0 && { env: tool.env }),
    ...(Object.keys(tool.headers).length > 0 && { headers: tool.headers }),
  };
}

/** As Msty's "Add tool" dialog takes it: a name beside the JSON of one server. */
export function asMstyEntry(tool: ToolConfig): Json {
  return { name: tool.name, type: tool.url === null ? 'stdio' : 'http', config: asClaudeEntry(tool) };
}

/** A row of Studio's `tools` table as a configuration; the JSON column holds command, args and env. */
export function toolFromRow(row: Readonly<Record<string, unknown>>): ToolConfig | undefined {
  const name = row.name ?? row.toolId ?? row.tool_id;
  const config = typeof row.config === 'string' ? tryParseJson(row.config) : row.config;
  if (typeof name !== 'string' || !isObject(config)) return undefined;
  const inner = isObject(config.mcpServers) ? Object.values(config.mcpServers)[0] : config;
  const tool = toolFrom(name, inner);
  return typeof tool === 'string' ? undefined : tool;
}

/** Env values that carry a secret, by name or by look. */
export function withoutSecretValues(tool: ToolConfig): ToolConfig {
  const plain = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(values).filter(([name, value]) => !isSecretName(name) && redact(value) === value),
    );
  return { ...tool, env: plain(tool.env), headers: plain(tool.headers), args: redact([...tool.args]) };
}

function namedEntries(config: unknown): (readonly [string, unknown])[] {
  if (Array.isArray(config))
    return config.map((entry) => [isObject(entry) ? String(entry.name ?? '') : '', unwrap(entry)]);
  if (!isObject(config)) return [];
  const servers = config.mcpServers ?? config.servers;
  if (isObject(servers)) return Object.entries(servers);
  if (Array.isArray(config.tools)) return namedEntries(config.tools);
  if (typeof config.command === 'string' || typeof config.url === 'string')
    return [[String(config.name ?? ''), config]];
  return Object.entries(config).filter(([, entry]) => isObject(entry) && ('command' in entry || 'url' in entry));
}

function unwrap(entry: unknown): unknown {
  return isObject(entry) && isObject(entry.config) ? entry.config : entry;
}

function toolFrom(name: string, entry: unknown): ToolConfig | string {
  if (name.trim() === '') return 'A tool has no name';
  if (!isObject(entry)) return `${name}: expected an object`;
  const { command = null, url = null, args = [], env = {}, headers = {} } = entry;
  if (typeof command !== 'string' && typeof url !== 'string') return `${name}: needs "command" or "url"`;
  if (!Array.isArray(args) || args.some((arg) => typeof arg !== 'string'))
    return `${name}: "args" must be a list of texts`;
  if (!isTexts(env)) return `${name}: "env" must map names to texts`;
  if (!isTexts(headers)) return `${name}: "headers" must map names to texts`;
  return {
    name,
    command: typeof command === 'string' ? command : null,
    url: typeof url === 'string' ? url : null,
    args,
    env,
    headers,
  };
}

function isTexts(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((entry) => typeof entry === 'string');
}
