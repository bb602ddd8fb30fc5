import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../dist/page/', import.meta.url));
const FIRST_VIEW = 60_000;
const FURTHER = 150_000;

const textOf = (file: string) => readFileSync(folder + file, 'utf8');
const sizes = new Map<string, number>();
const sizeOf = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + compressed(file), 0);

function compressed(file: string): number {
  const size = sizes.get(file) ?? brotliCompressSync(readFileSync(folder + file)).length;
  sizes.set(file, size);
  return size;
}

/** A file and all that it imports at once; what it loads later is not among them. */
function closureOf(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name] of textOf(file).matchAll(/(?:from|import)"\.\/([\w.-]+)"/g)) closureOf(`assets/${name}`, found);
  return found;
}

const linked = [...textOf('index.html').matchAll(/(?:src|href)="\/(assets\/[\w.-]+)"/g)].map(([, file]) => file!);
const firstView = new Set([
  'index.html',
  ...linked,
  ...linked.filter((file) => file.endsWith('.js')).flatMap((file) => [...closureOf(file)]),
]);

test('the first view takes at most 60 kB', () => {
  expect(linked.some((file) => file.endsWith('.js')) && linked.some((file) => file.endsWith('.css'))).toBe(true);
  expect(sizeOf(firstView)).toBeLessThanOrEqual(FIRST_VIEW);
});

const chunks = readdirSync(`${folder}assets`).filter((name) => name.endsWith('.js'));

test.each(chunks)('%s adds at most 150 kB, all that it imports included', (name) => {
  const added = [...closureOf(`assets/${name}`)].filter((file) => !firstView.has(file));
  expect(sizeOf(added)).toBeLessThanOrEqual(FURTHER);
});
