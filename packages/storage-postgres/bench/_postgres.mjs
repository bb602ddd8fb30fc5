// The server that the tests use. Node of the oldest supported version reads no TypeScript, so it is translated first.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const { default: typescript } = await import(createRequire(import.meta.url).resolve('typescript'));

export async function makePostgres(options) {
  const source = readFileSync(fileURLToPath(new URL('../test/server.ts', import.meta.url)), 'utf8');
  const { ModuleKind, ScriptTarget } = typescript;
  const { outputText } = typescript.transpileModule(source, {
    compilerOptions: { module: ModuleKind.ESNext, target: ScriptTarget.ES2022 },
  });
  // As deep as the original, because it imports by relative paths.
  const translated = new URL('../node_modules/test-server.mjs', import.meta.url);
  mkdirSync(new URL('.', translated), { recursive: true });
  writeFileSync(translated, outputText);
  const made = await import(translated.href);
  return made.makePostgres(options);
}
