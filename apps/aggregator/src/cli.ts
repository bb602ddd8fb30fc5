#!/usr/bin/env node
import { runCli } from '@atoll-mcp/core';
import { configDefinition } from './config.ts';
import { createAtollServer } from './server.ts';
import { VERSION } from './version.ts';

await runCli({
  definition: configDefinition,
  version: VERSION,
  description: 'All Atoll servers and any other MCP server behind one endpoint',
  create: (config, log) => createAtollServer(config, { env: process.env, log }),
});
