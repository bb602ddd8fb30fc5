import { type Logger, silentLogger } from '@atoll-mcp/core';
import { type AtollServer, createServer, loadConfig } from '@atoll-mcp/server';
import { loadStorageDriver } from '@atoll-mcp/storage';
import { chooseBackends } from './backends/choose.ts';
import { configDefinition, type Settings } from './config.ts';
import { contract } from './contract.ts';
import { readPacked } from './domain/packed/read-packed.ts';
import { TensorDirectoryService } from './service.ts';

/** Files left by a crash are swept after start-up, when the first calls are done. */
const SWEEP_AFTER_MS = 60_000;

/** The server. Opens nothing until the first call that needs it. */
export function createTensorDirectoryServer(
  settings: Partial<Settings> = {},
  { log = silentLogger }: { log?: Logger } = {},
): AtollServer<TensorDirectoryService> {
  const config: Settings = { ...loadConfig(configDefinition).config, ...settings };
  let sweeping: NodeJS.Timeout | undefined;

  const open = async () => {
    await loadStorageDriver(config.storage);
    const service = new TensorDirectoryService(chooseBackends(config, log), { maxTensorBytes: config.maxTensorBytes });
    sweeping = setTimeout(() => sweep(service, log), SWEEP_AFTER_MS).unref();
    return service;
  };

  return createServer(contract, {
    service: {
      open,
      async close(service) {
        clearTimeout(sweeping);
        await service.close();
      },
    },
    log,
    toolNames: config.toolNames,
    parse: (bytes, _request, ownName) => readPacked(bytes, ownName),
  });
}

function sweep(service: TensorDirectoryService, log: Logger): void {
  service
    .sweep()
    .then((removed) => removed > 0 && log.info('removed files that nothing used', { removed }))
    .catch((error) => log.warn('sweeping failed', { error }));
}
