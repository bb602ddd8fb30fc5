import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { deleteInJsonc, setInJsonc } from './edit-jsonc.ts';
import { replaceFile } from './replace-file.ts';

const require = createRequire(import.meta.url);

/** A value at a path of keys; undefined removes it. */
export interface ConfigChange {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** Changes entries of a JSON or YAML file and keeps the rest, including comments. */
export function editConfig(path: string, changes: readonly ConfigChange[]): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n';
  replaceFile(path, changedText(text, changes));
}

export function changedText(text: string, changes: readonly ConfigChange[]): string {
  return changes.reduce((now, { path, value }) => {
    const edited = value === undefined ? deleteInJsonc(now, path) : setInJsonc(now, path, value);
    return edited ?? changedYaml(now, path, value);
  }, text);
}

function changedYaml(text: string, path: readonly string[], value: unknown): string {
  const { parseDocument } = require('yaml') as typeof import('yaml');
  const document = parseDocument(text);
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, document.createNode(value));
  return document.toString();
}
