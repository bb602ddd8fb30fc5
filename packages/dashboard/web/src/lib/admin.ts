import { ask, type CallOptions, RpcError } from './mcp.ts';

export interface CallSummary {
  readonly id: number;
  readonly at: string;
  readonly ms: number;
  readonly caller: string;
  readonly client?: string;
  readonly view?: string;
  readonly server: string;
  readonly name: string;
  readonly tool: string;
  readonly outcome: 'ok' | 'error' | 'fault';
  readonly code?: number;
  /** Number of the program of run_tools that made the call, or that the call ran. */
  readonly program?: number;
  readonly sent_chars: number;
  readonly answer_chars: number;
  readonly about_tokens: number;
}

export interface CallDetail extends CallSummary {
  readonly clipped: boolean;
  readonly arguments?: Record<string, unknown>;
  readonly answer?: unknown;
}

export interface SeriesPoint {
  readonly at: number;
  readonly calls: number;
  readonly failures: number;
  readonly p50: number;
  readonly p95: number;
}

export interface ServerSettings {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly openapi?: string;
  readonly baseUrl?: string;
  readonly auth?: Readonly<Record<string, string>>;
  readonly prefix?: string;
}

export interface AdminTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly listed: boolean;
  readonly held_back?: boolean;
}

export interface AdminServer {
  readonly key: string;
  readonly kind: 'in-process' | 'stdio' | 'http' | 'openapi';
  readonly is_builtin: boolean;
  readonly state: string;
  readonly since: string;
  readonly restarts: number;
  readonly reason?: string;
  readonly settings?: ServerSettings;
  readonly tools: readonly AdminTool[];
  readonly has_log: boolean;
}

export interface ServerList {
  readonly revision: string;
  readonly file?: string;
  readonly servers: readonly AdminServer[];
}

export interface DefinitionPart {
  readonly part: string;
  readonly before?: string;
  readonly after?: string;
}

/** What changed in the tools of a server since they were pinned. */
export interface ServerDefinitions {
  readonly key: string;
  readonly state: 'pinned' | 'changed' | 'unknown';
  readonly pinning: 'off' | 'warn' | 'enforce';
  readonly problem?: string;
  readonly fingerprint?: string;
  readonly is_other_server: boolean;
  readonly server_changes: readonly DefinitionPart[];
  readonly changes: readonly {
    readonly kind: 'added' | 'removed' | 'changed' | 'renamed';
    readonly tool: string;
    readonly formerly?: string;
    readonly parts: readonly DefinitionPart[];
  }[];
  readonly warnings: readonly { readonly tool: string; readonly kind: string; readonly message: string }[];
  readonly held_back: readonly string[];
}

export interface Settings {
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly uptime_seconds: number;
  readonly revision: string;
  readonly file?: string;
  readonly data_dir: string;
  readonly folders: readonly { name: string; bytes: number; files: number }[];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly views: readonly { name: string; servers?: readonly string[]; mode: string }[];
  readonly tokens: readonly { name: string; admin: boolean; views?: readonly string[] }[];
  readonly is_authenticated: boolean;
}

export interface KnownClient {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly is_installed: boolean;
  readonly has_atoll: boolean;
}

/** Calls a tool of administration. */
export function admin<Body>(name: string, args: Record<string, unknown> = {}, options?: CallOptions): Promise<Body> {
  return ask<Body>(`atoll_admin_${name}`, args, options);
}

/** Whether an error means that this caller may not administer. */
export function isRefusal(error: unknown): boolean {
  return error instanceof RpcError && error.code === -32600;
}
