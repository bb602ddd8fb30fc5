import type { SearchIndexDefinition } from '@atoll-mcp/core/storage';
import type { Pool, Queryable } from '../pool.ts';
import type { GraphType, SearchTables } from './tables.ts';

/** Newer chunks than those in graphs are compared one by one; when they are this many, a graph is built of them. */
const GRAPH_CHUNKS = 8_192;
/** One build at a time in a database: two would wait for each other to end. */
const LOCK = 7410_2029;
const MEGABYTE = 2 ** 20;
/** Room for the links of a vector in a graph that is being built, and for what holds them. */
const LINK_BYTES = 600;
const MAX_MEMORY_MEGABYTES = 1_024;

/** An HNSW index of the chunks with numbers above `after`, up to and with `upto`. */
export interface Graph {
  readonly after: number;
  readonly upto: number;
}

interface Options extends SearchIndexDefinition {
  readonly pool: Pool;
  readonly tables: SearchTables;
}

/**
 * Graphs of vectors, built beside reading and writing, so that a write does not wait for them. Each is a partial index
 * of a range of chunks; small ones are built again as one. Searches cover every range with or without an index, so a
 * graph that is missing or was just replaced costs speed and nothing else.
 */
export class Graphs {
  readonly #options: Options;
  #work: Promise<void> | undefined;
  #backend: number | undefined;
  #isClosed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** In the order of their chunks. */
  async list(client: Queryable = this.#options.pool): Promise<Graph[]> {
    const sql = `SELECT after, upto FROM ${this.#options.tables.graphs} ORDER BY upto`;
    return (await client.query<Graph>(sql)).rows;
  }

  /** An expression for how many chunks are in no graph yet. */
  get pendingSql(): string {
    const { chunks, graphs } = this.#options.tables;
    return `coalesce((SELECT max(number) FROM ${chunks}), 0) - coalesce((SELECT max(upto) FROM ${graphs}), 0)`;
  }

  /** Continues what a process that ended left to do. */
  async begin(type: GraphType): Promise<void> {
    const { rows } = await this.#options.pool.query<{ pending: number }>(`SELECT ${this.pendingSql} AS pending`);
    this.changed(rows[0]!.pending, type);
  }

  /** Starts a build in the background if it is worth it. */
  changed(pending: number, type: GraphType): void {
    if (this.#work || this.#isClosed || type === undefined || pending < GRAPH_CHUNKS) return;
    // A failure costs nothing but speed, and the next change tries again.
    this.#work = this.#options.pool
      .alone((client) => this.#build(client, type))
      .catch(() => {})
      .finally(() => {
        this.#work = undefined;
      });
  }

  /** Waits for a build that is under way. */
  async settled(): Promise<void> {
    await this.#work;
  }

  /** Ends a build that is under way; what is left of it is removed by the next one. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#work && this.#backend !== undefined)
      await this.#options.pool.query('SELECT pg_cancel_backend($1)', [this.#backend]).catch(() => {});
    await this.#work;
  }

  async #build(client: Queryable, type: string): Promise<void> {
    const { tables, name, dimensions } = this.#options;
    const { rows } = await client.query<{ mine: boolean; backend: number }>(
      'SELECT pg_try_advisory_lock($1) AS mine, pg_backend_pid() AS backend',
      [LOCK],
    );
    if (!rows[0]?.mine) return;
    this.#backend = rows[0].backend;
    try {
      for (;;) {
        const graphs = await this.list(client);
        await this.#dropOthers(client, graphs);
        const upto = (await client.query<{ most: number | null }>(`SELECT max(number) AS most FROM ${tables.chunks}`))
          .rows[0]?.most;
        const after = startOf(graphs, upto ?? 0);
        if (this.#isClosed || after === undefined) return;
        const graph = { after, upto: upto! };
        const bytes = (graph.upto - graph.after) * (4 * dimensions + LINK_BYTES);
        const megabytes = Math.min(MAX_MEMORY_MEGABYTES, 64 + Math.ceil(bytes / MEGABYTE));
        await client.query(`SET maintenance_work_mem = '${megabytes}MB'`);
        // Parallel workers would need as much shared memory, which containers seldom have.
        await client.query('SET max_parallel_maintenance_workers = 0');
        await client.query(
          `CREATE INDEX CONCURRENTLY ${indexOf(name, graph)} ON ${tables.chunks}
           USING hnsw ((vector::${type}(${dimensions})) ${type}_ip_ops) WITH (m = 16, ef_construction = 100)
           WHERE ${rangeSql(graph)}`,
        );
        await client.query(
          `WITH merged AS (DELETE FROM ${tables.graphs} WHERE after >= ${after})
           INSERT INTO ${tables.graphs} (upto, after) VALUES (${graph.upto}, ${after})`,
        );
      }
    } finally {
      this.#backend = undefined;
    }
  }

  /** Indexes that were merged into others, or that a build left when it was interrupted. */
  async #dropOthers(client: Queryable, graphs: readonly Graph[]): Promise<void> {
    const { name, tables } = this.#options;
    const { rows } = await client.query<{ index: string }>(
      `SELECT quote_ident(c.relname) AS index FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE i.indrelid = $1::regclass AND starts_with(c.relname, $2) AND NOT quote_ident(c.relname) = ANY($3::text[])`,
      [tables.chunks, prefixOf(name), graphs.map((graph) => indexOf(name, graph))],
    );
    for (const { index } of rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`);
  }
}

/** A condition that the planner knows to be a graph's own. */
export const rangeSql = ({ after, upto }: Graph) => `number > ${after} AND number <= ${upto}`;

const prefixOf = (name: string) => `search_${name}_graph_`;
const indexOf = (name: string, { after, upto }: Graph) => `${prefixOf(name)}${after}_${upto}`;

/**
 * Where the next graph begins: with the chunks that are in none, and with the graphs before them that are not larger
 * than what comes after. So each chunk is built into a graph only as often as the number of chunks doubles.
 */
function startOf(graphs: readonly Graph[], upto: number): number | undefined {
  let after = graphs.at(-1)?.upto ?? 0;
  if (upto - after < GRAPH_CHUNKS) return undefined;
  for (const former of graphs.toReversed()) {
    if (former.upto - former.after > upto - after) break;
    after = former.after;
  }
  return after;
}
