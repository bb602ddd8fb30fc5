/** The local services in the order in which they are queried; the proxy to remote models comes last. */
export const SERVICE_NAMES = ['local_ai', 'mlx', 'llamacpp', 'ollama', 'lm_studio', 'vibe_proxy'] as const;

export type ServiceName = (typeof SERVICE_NAMES)[number];

/** Everything on this machine that answers like a model service. */
export type EndpointName = ServiceName | 'nexus';

export const DEFAULT_PORTS: Readonly<Record<ServiceName, number>> = {
  local_ai: 11964,
  mlx: 11973,
  llamacpp: 11454,
  ollama: 11434,
  lm_studio: 1234,
  vibe_proxy: 8317,
};

/** Msty Nexus, unless another port is configured; Ollama has the same one. */
export const NEXUS_PORT = 11434;

/** The ways in which services let their models be managed. */
export type LifecycleProtocol = 'ollama' | 'lm_studio' | 'llama_swap';

/** Where a service says more about its models than `/v1/models` does. */
type Dialect = 'ollama' | 'lm_studio' | 'llamacpp' | 'openai';

export const DIALECTS: Readonly<Record<EndpointName, Dialect>> = {
  local_ai: 'ollama',
  mlx: 'openai',
  llamacpp: 'llamacpp',
  ollama: 'ollama',
  lm_studio: 'lm_studio',
  vibe_proxy: 'openai',
  nexus: 'openai',
};

const CONFIG_KEYS: Readonly<Record<string, ServiceName>> = {
  localAIService: 'local_ai',
  mlxService: 'mlx',
  llamaCppService: 'llamacpp',
  llamacppService: 'llamacpp',
  vibeProxyService: 'vibe_proxy',
};

/** Ports out of Msty's own settings (`Gifnoc.nosj`), of services on this machine only. */
export function portsInMstyConfig(config: unknown): Partial<Record<ServiceName, number>> {
  const ports: Partial<Record<ServiceName, number>> = {};
  if (config === null || typeof config !== 'object') return ports;
  for (const [key, name] of Object.entries(CONFIG_KEYS)) {
    const entry = (config as Record<string, unknown>)[key];
    const port = entry !== null && typeof entry === 'object' ? portOf(entry as Record<string, unknown>) : undefined;
    if (port) ports[name] = port;
  }
  return ports;
}

function portOf({ host, port }: Record<string, unknown>): number | undefined {
  const given = Number(port);
  if (isPort(given)) return given;
  if (typeof host !== 'string') return undefined;
  const match = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):(\d{1,5})\/?$/.exec(host.trim());
  const parsed = Number(match?.[1]);
  return isPort(parsed) ? parsed : undefined;
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value > 0 && value < 65_536;
}
