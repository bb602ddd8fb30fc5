// Files that people own, with what should come out of them: the folder ../shared/data/files beside the project, or that
// of MEMORYLAKE_BENCH_FILES. Its INDEX.jsonl has a line for each file: {"file": "a/b.docx", "expected": ["a/b.md"]}.
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));
export const cache = join(root, '.cache');
export const folder = process.env.MEMORYLAKE_BENCH_FILES ?? join(root, '../shared/data/files');

/** The files and what is known of them; ends the program where there are none. */
export function realFiles(...extensions) {
  const index = join(folder, 'INDEX.jsonl');
  if (!existsSync(index)) {
    process.stderr.write('left out: there is no folder of real files (MEMORYLAKE_BENCH_FILES)\n');
    process.exit(0);
  }
  const all = readFileSync(index, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((entry) => ({ ...entry, extension: entry.file.split('.').at(-1).toLowerCase() }));
  return extensions.length === 0 ? all : all.filter(({ extension }) => extensions.includes(extension));
}

export const expectedText = ({ expected = [] }) =>
  expected.map((path) => readFileSync(join(folder, path), 'utf8')).join('\n');

export const limits = {
  maxFileBytes: 256 * 2 ** 20,
  maxExpandedBytes: 1024 * 2 ** 20,
  maxExpansionRatio: 200,
  maxRows: 2_000_000,
  maxPages: 5_000,
  maxSeconds: 300,
  maxHeapMegabytes: 512,
};

let readers;

/** Bundles the readers from their sources, so that everything a file gives can be looked at and not only its chunks. */
async function loadReaders() {
  const require = createRequire(realpathSync(join(root, 'node_modules/tsup/package.json')));
  const { build } = await import(require.resolve('esbuild'));
  mkdirSync(join(root, 'packages/memorylake/node_modules/.bench'), { recursive: true });
  const outfile = join(root, 'packages/memorylake/node_modules/.bench/readers.mjs');
  await build({
    stdin: {
      contents: `export { detectFormat, readFile } from './src/backends/readers/read-file.ts';
        export { typeTable } from './src/domain/columns/column-types.ts';
        export { TableCollector } from './src/domain/tables/table-rows.ts';`,
      resolveDir: join(root, 'packages/memorylake'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return import(outfile);
}

/** Everything that the reader of a file finds in it. */
export async function readRealFile(path, name = basename(path)) {
  readers ??= await loadReaders();
  const found = { text: '', sheets: [], tables: [], ok: true, reason: undefined, format: undefined };
  const sink = {
    text: ({ text }) => {
      found.text += `${text}\n`;
    },
    sheet: (sheet) => found.sheets.push({ name: sheet, rows: new Map() }),
    row: (number, cells) => {
      found.sheets.at(-1).rows.set(number, cells);
      return true;
    },
    table: (table) => found.tables.push(table),
    tables: () => {},
    figures: () => {},
    title: () => {},
    unread: () => {},
  };
  const start = performance.now();
  try {
    found.format = readers.detectFormat({ path, name }, limits);
    await readers.readFile({ path, name }, found.format, sink, limits);
    found.ok = found.text.trim() !== '' || found.sheets.some(({ rows }) => rows.size > 0);
    if (!found.ok) found.reason = 'It has no text';
  } catch (error) {
    found.ok = false;
    found.reason = error.message;
  }
  found.ms = performance.now() - start;
  return found;
}

/** A sheet or a document's table as SQL sees it. */
export async function typedTable(path, format, sheet) {
  readers ??= await loadReaders();
  const collector = new readers.TableCollector(sheet);
  await readers.readFile({ path, name: basename(path) }, format, collector, limits);
  return collector.typedTable({ texts: [], places: [] });
}

/** Text of all that was found: sheets come as rows. */
export const wholeText = ({ text, sheets }) =>
  [text, ...sheets.map(({ rows }) => [...rows.values()].map((cells) => cells.join(' ')).join('\n'))].join('\n');
