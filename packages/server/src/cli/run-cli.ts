import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import type { Logger, McpApp } from '@atoll-mcp/core';
import { StorageError } from '@atoll-mcp/core/storage';
import { type CommonConfig, type ConfigDefinition, ConfigError, defaultDataDir, loadConfig } from '../config/config.ts';
import { type FolderUse, folderProblem } from '../config/data-folder.ts';
import type { HttpExtras } from '../http/options.ts';
import { createLogger } from '../logger.ts';
import { type CommandHelp, helpText } from './help.ts';
import { handleUnhandledRejections } from './last-resort.ts';

/** A subcommand, such as `doctor`. */
export interface Command<Own extends object = object> extends CommandHelp {
  /** Flags of its own; everything else is the program's configuration. */
  readonly flags?: readonly string[];
  /** How it uses the data folder; an unusable folder is rejected before the command runs. */
  readonly usesDataDir?: FolderUse;
  /** Returns the exit code. */
  run(call: {
    words: readonly string[];
    argv: readonly string[];
    config: CommonConfig & Own;
    log: Logger;
  }): Promise<number>;
}

export interface Program<Own extends object> {
  readonly definition: ConfigDefinition<Own>;
  readonly version: string;
  readonly description: string;
  readonly commands?: Readonly<Record<string, Command<Own>>>;
  /** Loads the storage driver that an address needs, so that the app can open it synchronously. Left out if the program stores nothing. */
  readonly loadStorage?: (address: string) => Promise<void>;
  /** Makes the app; it must open nothing yet. */
  create(config: CommonConfig & Own, log: Logger): McpApp & HttpExtras;
}

/** Runs a program from start to exit: configuration, then a command, stdio or HTTP. Exit codes: 0 fine, 1 failed, 2 bad usage. */
export async function runCli<Own extends object>(program: Program<Own>): Promise<void> {
  allocateYoung();
  const { definition, commands = {} } = program;
  const argv = process.argv.slice(2);
  const command = argv[0] !== undefined && Object.hasOwn(commands, argv[0]) ? commands[argv[0]] : undefined;
  // Arguments after -- are for another program.
  const own = argv.slice(0, [...argv, '--'].indexOf('--'));
  if (own.includes('--help') || own.includes('-h')) return print(helpText(definition, program));
  if (own.includes('--version')) return print(`${program.version}\n`);
  try {
    const loaded = loadConfig(definition, {
      argv,
      env: process.env,
      ...(command?.flags && { extraFlags: command.flags }),
    });
    const { words } = loaded;
    const config = await withStorage(loaded.config, program.loadStorage);
    const log = createLogger({ name: definition.program, level: config.logLevel });
    if (!command && words.length > 0)
      throw new ConfigError([`Unknown command "${words[0]}"; --help lists all commands`]);
    const use = command ? command.usesDataDir : 'write';
    if (use) assertUsable(config, definition.folder, use);
    if (command) process.exit(await command.run({ words: words.slice(1), argv: argv.slice(1), config, log }));
    await serve(program.create(config, log), config, log);
  } catch (error) {
    // The message of a storage error says what to do; its stack would only hide that.
    if (!(error instanceof ConfigError || error instanceof StorageError)) throw error;
    const problems = error instanceof ConfigError ? error.problems : [error.message];
    for (const problem of problems) process.stderr.write(`${definition.program}: ${problem}\n`);
    process.exit(error instanceof ConfigError ? 2 : 1);
  }
}

/** A folder that the user chose must be usable. The default may be missing where nothing is stored, as in a container without a home folder. */
function assertUsable({ dataDir }: CommonConfig, folder: string, use: FolderUse): void {
  const problem = dataDir === defaultDataDir(folder, process.env) ? undefined : folderProblem(dataDir, use);
  if (problem) throw new ConfigError([`--data-dir: ${problem}`]);
}

/** Reads the storage address from its file and loads its driver. */
async function withStorage<Settings extends CommonConfig>(
  config: Settings,
  load: ((address: string) => Promise<void>) | undefined,
): Promise<Settings> {
  const storage = config.storageFile ? readOr(config.storageFile, '--storage-file').trim() : config.storage;
  if (storage === undefined) return config;
  if (!load) throw new ConfigError(['--storage: this program stores nothing']);
  await load(storage).catch((error: Error) => {
    throw new ConfigError([`--storage: ${error.message}`]);
  });
  return { ...config, storage };
}

/**
 * From the first calls V8 guesses which objects live long, and allocates others like them as old. Those of a call are not, and to
 * collect them late costs up to a quarter of its processor time.
 */
function allocateYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

async function serve(app: McpApp & HttpExtras, config: CommonConfig, log: Logger): Promise<void> {
  const unhandledRejections = handleUnhandledRejections(log);
  if (!config.http) {
    const { serveStdio } = await import('../stdio/serve-stdio.ts');
    return serveStdio(app, { log });
  }
  const authToken = tokenOf(config);
  const tls = tlsOf(config);
  const { serveHttp, checkBind } = await import('../http/serve-http.ts');
  const problem = checkBind(config.host, authToken ?? app.authenticate);
  if (problem) throw new ConfigError([`--host: ${problem}`]);
  const { host, port, maxBodyBytes, allowedHosts, dataDir } = config;
  const server = await serveHttp(app, {
    host,
    port,
    maxBodyBytes,
    allowedHosts,
    dataDir,
    log,
    routes: app.routes ?? [],
    unhandledRejections,
    ...(authToken && { authToken }),
    ...(app.authenticate && { authenticate: app.authenticate }),
    ...(tls && { tls }),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new ConfigError([`--port: ${port} is in use on ${host}; choose another, or 0 for a free one`]);
    if (error.code === 'EACCES')
      throw new ConfigError([`--port: no permission to listen on ${port}; choose a port above 1023`]);
    if (['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? ''))
      throw new ConfigError([`--host: ${host} is not an address of this machine (${error.code})`]);
    throw error;
  });
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // A second signal exits at once.
      if (stopping) process.exit(1);
      stopping = true;
      server
        .close()
        .then(() => app.close())
        .catch((error) => log.error('closing failed', { error }))
        .finally(() => process.exit(0));
    });
  }
}

function tokenOf(config: CommonConfig): string | undefined {
  if (!config.authTokenFile) return config.authToken;
  const token = readOr(config.authTokenFile, '--auth-token-file').trim();
  if (token === '') throw new ConfigError([`--auth-token-file: ${config.authTokenFile} is empty`]);
  return token;
}

function tlsOf({ tlsCert, tlsKey }: CommonConfig): { cert: string; key: string } | undefined {
  if (!tlsCert && !tlsKey) return undefined;
  if (!tlsCert || !tlsKey) throw new ConfigError(['--tls-cert and --tls-key: give both or neither']);
  return { cert: readOr(tlsCert, '--tls-cert'), key: readOr(tlsKey, '--tls-key') };
}

function readOr(path: string, flag: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new ConfigError([`${flag}: cannot read ${path}`]);
  }
}

function print(text: string): void {
  process.stdout.write(text);
}
