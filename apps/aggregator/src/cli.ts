#!/usr/bin/env node
import { ConfigError, loadConfig, runCli } from '@atoll-mcp/core';
import { configDefinition } from './config.ts';
import { findConfigFile, watchFile } from './config-file.ts';
import { createAtollServer } from './server.ts';
import { VERSION } from './version.ts';

const file = findConfigFile(process.argv.slice(2), process.env, process.cwd());
if (file !== undefined) process.env.ATOLL_CONFIG = file;

await runCli({
  definition: configDefinition,
  version: VERSION,
  description: 'All Atoll servers and any other MCP server behind one endpoint',
  create: (config, log) => {
    const app = createAtollServer(config, { env: process.env, log });
    if (file === undefined) return app;
    watchFile(file, () => {
      try {
        const changed = loadConfig(configDefinition, { argv: process.argv.slice(2), env: process.env }).config;
        app.reconfigure(changed).catch((error: unknown) => log.error('configuration not applied', { error }));
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        log.warn('changed configuration is wrong; the one before stays', { problems: error.problems });
      }
    });
    return app;
  },
});
