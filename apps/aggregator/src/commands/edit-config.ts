import { existsSync, readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { replaceFile } from './replace-file.ts';

/** Changes one entry of a JSON or YAML file and keeps the rest, including YAML comments. */
export function editConfig(
  path: string,
  change: (document: { set(keys: string[], value: unknown): void; delete(keys: string[]): boolean }) => void,
): void {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n';
  const isJson = path.endsWith('.json');
  const document = parseDocument(text);
  change({
    set: (keys, value) => document.setIn(keys, document.createNode(value)),
    delete: (keys) => document.deleteIn(keys),
  });
  const written = isJson ? `${JSON.stringify(document.toJS(), null, 2)}\n` : document.toString();
  replaceFile(path, written);
}
