import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setInJsonc } from '../edit-jsonc.ts';
import { replaceFile } from '../replace-file.ts';
import { clientText } from './client-text.ts';
import { type ClientName, type ClientPlace, clientPlace } from './clients.ts';
import { lastingCommand } from './lasting-command.ts';

export interface InstallOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The program that is to be started: node and our own file. */
  readonly command: string;
  readonly script: string;
  readonly configFile: string | undefined;
  /** Given where it is not the default. */
  readonly dataDir?: string | undefined;
  readonly now?: () => Date;
}

interface InstallPlan {
  readonly place: ClientPlace;
  readonly entry: object;
  readonly before: string;
  /** Undefined if the file is not JSON that can be edited. */
  readonly after: string | undefined;
}

/** What writing Atoll into a client's configuration would change. */
export function planInstall(name: ClientName, options: InstallOptions): InstallPlan {
  const place = clientPlace(name, options.env);
  const entry = entryOf(options, place);
  const before = contentsOf(place.path);
  const after = before === undefined ? undefined : setInJsonc(before, [place.key, 'atoll'], entry);
  return { place, entry, before: before ?? '', after };
}

/** Whether the client seems to be on this machine. */
export function isInstalled({ path }: ClientPlace, home: string): boolean {
  return existsSync(path) || (dirname(path) !== home && existsSync(dirname(path)));
}

/** Writes the plan unless the file was changed meanwhile. Returns where the copy of the old file is, if there was one. */
export function writeInstall(
  { place, before, after }: InstallPlan,
  now: () => Date = () => new Date(),
): { backup?: string } | undefined {
  if (after === undefined || contentsOf(place.path) !== before) return undefined;
  const backup = before === '' ? undefined : `${place.path}.before-atoll-${now().toISOString().replace(/[:.]/g, '-')}`;
  if (backup !== undefined) replaceFile(backup, before);
  replaceFile(place.path, after);
  return backup === undefined ? {} : { backup };
}

function entryOf({ command, script, configFile, dataDir }: InstallOptions, { isTyped }: ClientPlace) {
  const start = lastingCommand(command, script);
  const args = [
    ...start.args,
    ...(configFile === undefined ? [] : ['--config', resolve(configFile)]),
    ...(dataDir === undefined ? [] : ['--data-dir', resolve(dataDir)]),
  ];
  return { ...(isTyped && { type: 'stdio' }), command: start.command, args };
}

/** Undefined for what cannot be read. */
function contentsOf(path: string): string | undefined {
  try {
    return clientText(path);
  } catch {
    return undefined;
  }
}
