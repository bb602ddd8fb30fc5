import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@atoll-mcp/core';
import { openStorage } from '@atoll-mcp/storage';
import type { MstyConfig } from '../config.ts';
import { showPath } from '../domain/home-path.ts';
import { createSqliteReader } from './database-sqlite.ts';
import { createLocalFiles } from './files-local.ts';
import { createInstallationFinder } from './installation-local.ts';
import type { Backends } from './interface.ts';
import { llamaSwapLifecycle } from './lifecycle-llama-swap.ts';
import { lmStudioLifecycle } from './lifecycle-lm-studio.ts';
import { ollamaLifecycle } from './lifecycle-ollama.ts';
import { createHttpModels } from './models-http.ts';
import { createOwnStore } from './store-records.ts';
import { createSystemProbe } from './system-node.ts';

/** Opens nothing yet: every backend begins with its first use. */
export function chooseBackends(config: MstyConfig, home: string, log: Logger): Backends {
  const show = (path: string) => showPath(path, home);
  return {
    installation: createInstallationFinder({
      platform: process.platform,
      home,
      appData: config.appData,
      localAppData: config.localAppData,
      seesSystemFolders: home === userInfo().homedir,
      databasePath: config.databasePath,
    }),
    database: createSqliteReader({ scratchDir: join(config.dataDir, 'snapshots'), show }),
    services: createHttpModels(),
    lifecycle: [ollamaLifecycle, lmStudioLifecycle, llamaSwapLifecycle],
    store: createOwnStore(openStorage({ dataDir: config.dataDir, url: config.storage, namespace: 'msty-admin' }), log),
    files: createLocalFiles(show),
    system: createSystemProbe(home),
  };
}
