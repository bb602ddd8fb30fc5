import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, type Json, parseJson } from '@atoll-mcp/core';
import { withoutComments } from '@atoll-mcp/server';
import { clientText } from './client-text.ts';
import { type ClientName, clientPlace } from './clients.ts';

/** A server in a client's configuration, as Atoll would have it, or why it cannot. */
export interface FoundServer {
  readonly name: string;
  readonly file: string;
  readonly settings?: Json;
  readonly problem?: string;
  /** Secrets that the client would ask for, and that Atoll takes from its keychain. */
  readonly secrets: readonly string[];
}

/** The servers that a client has for this user and for the project in `cwd`. Throws for a file that is not JSON, or not a file. */
export function serversOf(client: ClientName, env: NodeJS.ProcessEnv, cwd: string): FoundServer[] {
  const { path, key } = clientPlace(client, env);
  // In the home folder they are the same file.
  const files = new Set([path, ...(PROJECT_FILES[client] ?? []).map((file) => join(cwd, file))]);
  return [...files].filter(existsSync).flatMap((file) => {
    const content = contentOf(file);
    const projects = isObject(content.projects) ? content.projects[cwd] : undefined;
    return [content[key], isObject(projects) ? projects[key] : undefined]
      .filter(isObject)
      .flatMap((servers) => Object.entries(servers).map(([name, block]) => foundServer(name, file, block)));
  });
}

/** Files that belong to a project, beside the user's own. */
const PROJECT_FILES: Partial<Record<ClientName, readonly string[]>> = {
  'claude-code': ['.mcp.json'],
  cursor: ['.cursor/mcp.json'],
  vscode: ['.vscode/mcp.json'],
};

/** An address of a server, or one that a variable will give. */
export function isAddress(url: unknown): boolean {
  return typeof url === 'string' && (url.includes('${') || (/^https?:\/\//i.test(url) && URL.canParse(url)));
}

function contentOf(file: string): Json {
  const content = parseJson(withoutComments(clientText(file)) || '{}');
  return isObject(content) ? content : {};
}

function foundServer(name: string, file: string, block: unknown): FoundServer {
  const found = { name, file, secrets: [] };
  if (!isObject(block)) return { ...found, problem: 'it is not an object' };
  const { command, args, env, cwd, headers, disabled } = block;
  const url = block.url ?? block.serverUrl ?? block.httpUrl;
  if (block.type === 'sse') return { ...found, problem: 'it speaks the HTTP+SSE transport, which Atoll does not' };
  if (typeof command !== 'string' && typeof url !== 'string')
    return { ...found, problem: 'it has no command and no url' };
  if (typeof command !== 'string' && !isAddress(url))
    return { ...found, problem: 'its address does not begin with http:// or https://' };
  const settings = {
    ...(typeof command === 'string' ? { command, ...(Array.isArray(args) && args.length > 0 && { args }) } : { url }),
    ...(isObject(env) && Object.keys(env).length > 0 && { env }),
    ...(typeof cwd === 'string' && { cwd }),
    ...(isObject(headers) && Object.keys(headers).length > 0 && { headers }),
    ...(disabled === true && { disabled }),
  };
  const text = JSON.stringify(settings);
  if (text.includes('${workspaceFolder')) {
    return { ...found, problem: `it needs \${workspaceFolder}, which only its client knows` };
  }
  const secrets = [...text.matchAll(INPUT)].map(([, input]) => secretName(input as string));
  const translated = text
    .replaceAll(`\${userHome}`, `\${HOME}`)
    .replace(INPUT, (_whole, input) => `\${keychain:${secretName(input)}}`);
  return { ...found, settings: JSON.parse(translated) as Json, secrets: [...new Set(secrets)] };
}

/** VS Code asks people for these. */
const INPUT = /\$\{input:([^}"\\]+)\}/g;

const secretName = (input: string) => input.replace(/[^\w.@-]/g, '_').slice(0, 100);
