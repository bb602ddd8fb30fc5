import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { type AtollServer, createServer, loadConfig } from '@atoll-mcp/server';
import { configDefinition, type MstyConfig } from './config.ts';
import { contractWith, toolsByToolset } from './contract.ts';
import { TOOLSETS } from './schemas.ts';
import type { MstyService } from './service.ts';

const TIMEOUT_SECONDS = 10;
/** A cold model takes its time before the first word. */
const CHAT_TIMEOUT_SECONDS = 120;

/** The whole server: settings that are left out have their defaults. Nothing is loaded or opened before the first call. */
export function createMstyServer(
  settings: Partial<MstyConfig> = {},
  { log = silentLogger }: { readonly log?: Logger } = {},
): AtollServer<MstyService> {
  const config: MstyConfig = { ...loadConfig(configDefinition).config, ...settings };
  return createServer(contractWith(config.toolsets), {
    service: { open: () => openService(config, log), close: (service) => service.close() },
    log,
    toolNames: config.toolNames,
  });
}

async function openService(config: MstyConfig, log: Logger): Promise<MstyService> {
  const [{ chooseBackends }, { MstyService }] = await Promise.all([
    import('./backends/choose.ts'),
    import('./service.ts'),
  ]);
  const { name, version } = contractWith(config.toolsets);
  const toolsets = TOOLSETS.filter((toolset) => config.toolsets.includes(toolset));
  const home = config.home ?? homedir();
  return new MstyService({
    backends: chooseBackends(config, home, log),
    home,
    ports: {
      local_ai: config.aiPort,
      mlx: config.mlxPort,
      llamacpp: config.llamacppPort,
      vibe_proxy: config.vibePort,
      ollama: config.ollamaPort,
      lm_studio: config.lmStudioPort,
    },
    nexusPort: config.nexusPort,
    timeoutMs: Math.ceil((config.timeout ?? TIMEOUT_SECONDS) * 1000),
    chatTimeoutMs: Math.ceil((config.timeout ?? CHAT_TIMEOUT_SECONDS) * 1000),
    about: {
      name,
      version,
      tools: toolsets.flatMap((toolset) => toolsByToolset[toolset].map((tool) => ({ name: tool.name, toolset }))),
    },
    now: () => new Date(),
    clock: () => performance.now(),
    newId: randomUUID,
  });
}
