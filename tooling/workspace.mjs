// The packages of the workspace, read from disk: no list of them is kept by hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const GROUPS = ['packages', 'apps'];

/** Folders relative to the root, as `packages/core`. */
export function packageFolders() {
  return GROUPS.flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => `${group}/${name}`)
      .filter((folder) => existsSync(join(root, folder, 'package.json'))),
  );
}

/** Without those that are only built into others. */
export function publishedFolders() {
  return packageFolders().filter((folder) => !readJson(`${folder}/package.json`).private);
}

/** Those that are MCP servers of their own. */
export function serverFolders() {
  return packageFolders().filter((folder) => existsSync(join(root, folder, 'server.json')));
}

/** A JSON file by its path from the root. */
export function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}
