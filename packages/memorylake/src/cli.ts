#!/usr/bin/env node
import { runCli } from '@atoll-mcp/server';
import { loadStorageDriver } from '@atoll-mcp/storage';
import { add } from './commands/add.ts';
import { collections, update } from './commands/collections.ts';
import { list } from './commands/list.ts';
import { reindex } from './commands/reindex.ts';
import { remove } from './commands/remove.ts';
import { search } from './commands/search.ts';
import { setupOcr } from './commands/setup-ocr.ts';
import { show } from './commands/show.ts';
import { watch } from './commands/watch.ts';
import { configDefinition } from './config.ts';
import { contract } from './contract.ts';
import { createMemoryLakeServer } from './server.ts';

await runCli({
  definition: configDefinition,
  version: contract.version,
  description: contract.description,
  commands: { add, list, show, remove, search, collections, update, watch, reindex, 'setup-ocr': setupOcr },
  loadStorage: loadStorageDriver,
  create: (config, log) => createMemoryLakeServer(config, { log }),
});
