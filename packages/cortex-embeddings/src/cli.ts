#!/usr/bin/env node
import { runCli } from '@atoll-mcp/server';
import { loadStorageDriver } from '@atoll-mcp/storage';
import { models } from './commands/models.ts';
import { configDefinition } from './config.ts';
import { contract } from './contract.ts';
import { createMcpServer } from './server.ts';

await runCli({
  definition: configDefinition,
  version: contract.version,
  description: contract.description,
  loadStorage: loadStorageDriver,
  commands: { models },
  create: (config, log) => createMcpServer(config, { log }),
});
