// search_conversations over 100,000 messages, against the same LIKE on a connection that is open already.
import { join } from 'node:path';
import { createMstyServer } from '../dist/index.js';
import { caller, DatabaseSync, median, rounded, studioHome } from './_studio.mjs';

const MESSAGES = 100_000;
const RUNS = 15;
const LIMIT = 3;

for (const wal of [false, true]) {
  const { home, path, remove } = studioHome({ messages: MESSAGES, wal });
  const server = createMstyServer({ home, dataDir: join(home, 'atoll') });
  const call = caller(server);
  const bare = new DatabaseSync(path, { readOnly: true });
  const statement = bare.prepare(
    "SELECT conversationTextId, content FROM conversationTextMessages WHERE content LIKE ? ESCAPE '\\' ORDER BY rowid DESC LIMIT 20",
  );
  // Beside a database in use there is a log with something in it.
  const writer = wal ? new DatabaseSync(path) : undefined;
  writer?.exec("UPDATE conversationTexts SET title = title || '.' WHERE id = 'c1'");
  const times = { ours: [], bare: [] };
  for (let run = -2; run < RUNS; run++) {
    const begun = performance.now();
    const { matches } = await call('search_conversations', { query: 'needle' });
    const between = performance.now();
    const rows = statement.all('%needle%');
    const ended = performance.now();
    if (matches.length !== 1 || rows.length !== 1) throw new Error('found something else');
    if (run < 0) continue;
    times.ours.push(between - begun);
    times.bare.push(ended - between);
  }
  const ratio = median(times.ours) / median(times.bare);
  console.log(
    JSON.stringify({
      bench: `msty-admin/search${wal ? '-beside-a-log' : ''}`,
      messages: MESSAGES,
      search_ms: rounded(median(times.ours)),
      bare_sql_ms: rounded(median(times.bare)),
      ratio: rounded(ratio),
      target_ratio: LIMIT,
      holds: ratio < LIMIT,
    }),
  );
  bare.close();
  writer?.close();
  await server.close();
  remove();
}
