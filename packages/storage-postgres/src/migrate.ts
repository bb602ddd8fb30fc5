import type pg from 'pg';

/** Each runs once, in this order, and is never changed afterwards. None removes anything that an older program uses. */
export const MIGRATIONS: readonly { readonly name: string; readonly sql: string }[] = [
  {
    name: '0001-stores',
    sql: `
      CREATE TABLE atoll_collections (name text COLLATE "C" PRIMARY KEY, version integer NOT NULL, shape text NOT NULL);
      CREATE TABLE atoll_indexes (name text COLLATE "C" PRIMARY KEY, dimensions integer NOT NULL);
      CREATE TABLE atoll_contents (id uuid PRIMARY KEY, began timestamptz NOT NULL DEFAULT now());
      CREATE TABLE atoll_parts (
        content uuid NOT NULL REFERENCES atoll_contents ON DELETE CASCADE, part integer NOT NULL, bytes bytea NOT NULL,
        PRIMARY KEY (content, part));
      ALTER TABLE atoll_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;
      CREATE TABLE atoll_blobs (
        key text COLLATE "C" PRIMARY KEY, size_bytes bigint NOT NULL, modified timestamptz NOT NULL DEFAULT now(),
        content uuid NOT NULL REFERENCES atoll_contents);
      CREATE INDEX atoll_blobs_content ON atoll_blobs (content);
      CREATE UNLOGGED TABLE atoll_cache (
        name text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, value bytea NOT NULL, size_bytes integer NOT NULL,
        used timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (name, key));
      CREATE INDEX atoll_cache_used ON atoll_cache (name, used);
      CREATE TABLE atoll_spending (
        name text COLLATE "C" NOT NULL, key text COLLATE "C" NOT NULL, at timestamptz NOT NULL, cost double precision NOT NULL);
      CREATE INDEX atoll_spending_key ON atoll_spending (name, key, at);`,
  },
  {
    name: '0002-search-layout',
    sql: 'ALTER TABLE atoll_indexes ADD COLUMN layout integer NOT NULL DEFAULT 1;',
  },
  {
    name: '0003-commits',
    sql: `
      CREATE TABLE atoll_commits (token uuid PRIMARY KEY, done boolean NOT NULL, at timestamptz NOT NULL DEFAULT now());
      CREATE INDEX atoll_commits_at ON atoll_commits (at);`,
  },
];

/** The advisory lock's key: any number that no other program on the same database uses. */
const LOCK = 7410_2026;

/** Migrates the schema, one process at a time; safe while older programs are running. */
export async function migrate(pool: pg.Pool, schema: string, migrations: typeof MIGRATIONS): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS atoll_migrations (name text PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ name: string }>('SELECT name FROM atoll_migrations');
    const done = new Set(rows.map(({ name }) => name));
    for (const { name, sql } of migrations.filter((migration) => !done.has(migration.name))) {
      await client.query('BEGIN');
      await client.query(sql);
      await client.query('INSERT INTO atoll_migrations (name) VALUES ($1)', [name]);
      await client.query('COMMIT');
    }
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK]);
    client.release();
  } catch (error) {
    // Closing the connection also releases the lock and rolls back an unfinished step.
    client.release(error as Error);
    throw error;
  }
}
