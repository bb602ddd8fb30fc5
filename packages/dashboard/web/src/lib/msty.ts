import { ask, type CallOptions } from './mcp.ts';

export interface Health {
  readonly overall_status: string;
  readonly database_status: {
    readonly exists: boolean;
    readonly size_mb: number | null;
    readonly integrity: string | null;
  };
  readonly service_status: Readonly<Record<string, { readonly available: boolean; readonly port: number }>>;
  readonly recommendations: readonly string[];
}

export interface ListedModel {
  readonly id: string;
  readonly _service?: string;
  readonly tags?: readonly string[];
  readonly size_gb?: number | null;
}

export interface Day {
  readonly day: string;
  readonly calls: number;
  readonly total_tokens: number;
}

export interface ModelSpeed {
  readonly model_id: string;
  readonly calls: number;
  readonly avg_latency_ms: number | null;
  readonly avg_tokens_per_sec: number | null;
}

export interface Benchmark {
  readonly model_id: string;
  readonly results: readonly {
    readonly prompt_length: number;
    readonly avg_tokens_per_sec: number;
    readonly avg_latency_ms: number;
  }[];
  readonly overall_avg_tokens_per_sec: number;
  readonly rating: string;
  readonly token_counts: string;
  readonly failed_runs: number;
}

/** The data of one of msty-admin's answers. */
export async function askMsty<Body>(tool: string, args: Record<string, unknown>, options: CallOptions): Promise<Body> {
  return (await ask<{ data: Body }>(tool, args, options)).data;
}

const SERVICES: Record<string, string> = {
  local_ai: 'Local AI',
  mlx: 'MLX',
  llamacpp: 'LLaMA.cpp',
  ollama: 'Ollama',
  lm_studio: 'LM Studio',
  vibe_proxy: 'Vibe proxy',
};

export function serviceName(key: string): string {
  return SERVICES[key] ?? key.replaceAll('_', ' ');
}

export function canChat({ tags = [] }: ListedModel): boolean {
  return !tags.includes('embedding');
}

/** The last days up to today, those without calls included. */
export function everyDay(days: readonly Day[], count: number, today = new Date()): readonly Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(today.getTime() - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10);
    return known.get(day) ?? { day, calls: 0, total_tokens: 0 };
  });
}
