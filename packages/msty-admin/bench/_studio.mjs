// A home folder with a Studio database of many messages, for the benchmarks.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);
export const { DatabaseSync } = require(
  major > 22 || (major === 22 && minor >= 13) ? 'node:sqlite' : '@photostructure/sqlite',
);

const WORDS =
  'time year people way day man thing woman life child world school state family student group country'.split(' ');

export function studioHome({ messages, wal = false }) {
  const home = mkdtempSync(join(tmpdir(), 'msty-bench-'));
  const path = join(home, '.config/MstyStudio/File System/000/t/00/00000000');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA synchronous = OFF; PRAGMA journal_mode = ${wal ? 'WAL' : 'DELETE'}; BEGIN;
    CREATE TABLE conversationTexts (id TEXT PRIMARY KEY, title TEXT, lastActivityAt INTEGER, createdAt INTEGER);
    CREATE TABLE conversationTextMessages (id TEXT PRIMARY KEY, conversationTextId TEXT, role TEXT, content TEXT, createdAt INTEGER);`);
  const conversation = database.prepare('INSERT INTO conversationTexts VALUES (?, ?, ?, ?)');
  const message = database.prepare('INSERT INTO conversationTextMessages VALUES (?, ?, ?, ?, ?)');
  let seed = 1;
  const word = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return WORDS[seed % WORDS.length];
  };
  for (let index = 0; index < messages; index++) {
    if (index % 20 === 0) conversation.run(`c${index / 20}`, `About ${word()} and ${word()}`, 1.7e12 + index, 1.7e12);
    const text = Array.from({ length: 60 }, word).join(' ') + (index === 10 ? ' needle' : '');
    message.run(`m${index}`, `c${Math.floor(index / 20)}`, index % 2 ? 'assistant' : 'user', text, 1.7e12 + index);
  }
  database.exec('COMMIT');
  database.close();
  return { home, path, remove: () => rmSync(home, { recursive: true, force: true }) };
}

/** Calls a tool of a server in this process and returns its data. */
export function caller(server) {
  const request = { era: 'modern', client: { id: 'bench' }, capabilities: {}, meta: {}, notify: async () => {} };
  return async (name, args = {}) => {
    const context = { ...request, signal: new AbortController().signal };
    const { structuredContent } = await server.handle('tools/call', { name, arguments: args }, context);
    if (!structuredContent.success) throw new Error(JSON.stringify(structuredContent.error));
    return structuredContent.data;
  };
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
export const rounded = (value) => Math.round(value * 100) / 100;
