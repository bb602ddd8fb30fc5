#!/usr/bin/env node
import { runCli } from '@atoll-mcp/core';
import { configDefinition } from './config.ts';
import { contract } from './contract.ts';
import { createTensorDirectoryServer } from './server.ts';

await runCli({
  definition: configDefinition,
  version: contract.version,
  description: contract.description,
  create: (config, log) => createTensorDirectoryServer(config, { log }),
});
