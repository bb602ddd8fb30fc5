#!/usr/bin/env node
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError, checkBind, loadConfig, runCli } from '@atoll-mcp/server';
import { loadStorageDriver } from '@atoll-mcp/storage';
import { add } from './commands/add.ts';
import { printError } from './commands/cli-io.ts';
import { importServers } from './commands/clients/import.ts';
import { install } from './commands/clients/install.ts';
import { completions } from './commands/completions.ts';
import { findConfigFile, userConfigFolder, watchFile } from './commands/config-file.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { list } from './commands/list.ts';
import { login } from './commands/login.ts';
import { migrate } from './commands/migrate.ts';
import { pin } from './commands/pin.ts';
import { search } from './commands/registry/search.ts';
import { upgrade } from './commands/registry/upgrade.ts';
import { remove } from './commands/remove.ts';
import { secret } from './commands/secret.ts';
import { type AggregatorConfig, configDefinition } from './config.ts';
import { VERSION } from './contract.ts';
import { createAtollServer } from './server.ts';
import { tracingOf } from './tracing/tracing.ts';
import { assertAccounts } from './upstreams/configured.ts';

const { env, argv, execPath } = process;
const words = argv.slice(2);
const file = findConfigFile(words, env, process.cwd());
const target = file ?? join(userConfigFolder(env), 'atoll.json');
// `atoll add` may create the file.
if (words[0] === 'add' && file !== undefined && !existsSync(file)) makeEmpty(file);
if (file !== undefined) env.ATOLL_CONFIG = file;

const NO_TRACES = 'calls are not traced: the optional packages @opentelemetry/* are not installed';
const program = { env, command: execPath, script: fileURLToPath(import.meta.url), configFile: file };
const commands = {
  add: add(target),
  remove: remove(target),
  list: list(target),
  install: install(program),
  doctor: doctor({ env, configFile: file }),
  migrate,
  import: importServers({ env, cwd: process.cwd(), file: target }),
  search,
  upgrade: upgrade(target),
  secret,
  login: login(env),
  pin: pin({ env, configFile: file }),
  diff: diff({ env, configFile: file }),
};

const tracing =
  words[0] !== undefined && Object.hasOwn(commands, words[0])
    ? undefined
    : await tracingOf(env, () => printError(NO_TRACES));

await runCli({
  definition: configDefinition,
  version: VERSION,
  description: 'All Atoll servers and any other MCP server behind one endpoint',
  loadStorage: loadStorageDriver,
  commands: { ...commands, completions: completions(commands) },
  create: (config, log) => {
    assertGuarded(config);
    assertAccounts(config);
    const reload = () => {
      env.ATOLL_CONFIG = target;
      return app.reconfigure(loadConfig(configDefinition, { argv: words, env }).config);
    };
    const host = {
      configFile: { path: target, reload },
      install: { ...program, dataDir: config.dataDir },
      cwd: process.cwd(),
    };
    const app = createAtollServer(config, { env, log, host, tracing });
    if (file === undefined) return app;
    watchFile(file, async () => {
      try {
        await reload();
      } catch (error) {
        if (!(error instanceof ConfigError)) return log.error('configuration not applied', { error });
        log.warn('invalid configuration ignored', { problems: error.problems });
      }
    });
    return app;
  },
});

/** Checked here because upstreams start as soon as the app is created. */
function assertGuarded({ http, host, authToken, authTokenFile, tokens, oauth }: AggregatorConfig): void {
  const problem = http ? checkBind(host, authToken ?? authTokenFile ?? tokens[0] ?? oauth) : undefined;
  if (problem) throw new ConfigError([`--host: ${problem}`]);
}

function makeEmpty(path: string): void {
  try {
    writeFileSync(path, '{}\n', { mode: 0o600 });
  } catch (error) {
    printError(`cannot write ${path} (${(error as NodeJS.ErrnoException).code})`);
    process.exit(2);
  }
}
