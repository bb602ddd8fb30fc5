import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FindTables } from './interface.ts';

const PREFIX = 'tables:';
const FILE = 'tables.json';

/** The memory of a request for its file or its tables. */
export const memoryIdOf = (id: string): string => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);

/** Writes the tables of a memory to a file that `get_memory_tables` reads. */
export class TableFiles {
  readonly #tables: FindTables;
  #folder: Promise<string> | undefined;
  #files = 0;

  constructor(tables: FindTables) {
    this.#tables = tables;
  }

  /** The file for a request for tables; undefined for other ids. */
  find(id: string): Promise<{ name: string; path: string } | undefined> | undefined {
    return id.startsWith(PREFIX) ? this.#write(id.slice(PREFIX.length)) : undefined;
  }

  async close(): Promise<void> {
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  async #write(memoryId: string): Promise<{ name: string; path: string } | undefined> {
    const tables = await this.#tables(memoryId);
    if (!tables) return undefined;
    this.#folder ??= mkdtemp(join(tmpdir(), 'memorylake-tables-'));
    const folder = await this.#folder;
    const made = join(folder, `new-${this.#files++}.json`);
    const isExact = (value: bigint) => Number.isSafeInteger(Number(value));
    const write = (_key: string, value: unknown) =>
      typeof value === 'bigint' ? (isExact(value) ? Number(value) : value.toString()) : value;
    await writeFile(made, JSON.stringify(tables, write), { mode: 0o600 });
    // Written once per memory.
    const path = join(folder, `${Buffer.from(memoryId).toString('hex')}.json`);
    await rename(made, path);
    return { name: FILE, path };
  }
}

/** Defines `get_memory_tables` in Python; pandas is imported when it is first called. */
export const TABLES_PRELUDE = `
def get_memory_tables(memory_id):
    """Frames of the tables that query_memory_tables sees of a memory, by table name."""
    import json
    import pandas
    try:
        path = get_memory_path('${PREFIX}' + str(memory_id), '${FILE}')
    except Exception as error:
        raise type(error)(str(error).replace('${PREFIX}', '')) from None
    with open(path, encoding='utf-8') as file:
        tables = json.load(file)
    frames = {}
    for table in tables:
        columns = {}
        for at, column in enumerate(table['columns']):
            values = [row[at] for row in table['rows']]
            kind = column['type']
            if kind == 'integer':
                series = pandas.Series([None if value is None else int(value) for value in values], dtype='Int64')
            elif kind == 'real':
                series = pandas.Series(values, dtype='float64')
            elif kind == 'boolean':
                series = pandas.Series(values, dtype='boolean')
            elif kind in ('date', 'datetime'):
                series = pandas.to_datetime(pandas.Series(values, dtype='object'), format='ISO8601', errors='coerce')
            else:
                series = pandas.Series(values, dtype='object')
            columns[column['name']] = series
        frames[table['name']] = pandas.DataFrame(columns)
    return frames
`;
