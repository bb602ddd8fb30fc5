// For each line on stdin: writes for a while, then prints the median time of a transaction in µs.
import { createInterface } from 'node:readline';
import { DatabaseSync, median } from './_studio.mjs';

const TRANSACTIONS = 150;
const database = new DatabaseSync(process.argv[2]);
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
const insert = database.prepare('INSERT INTO conversationTextMessages VALUES (?, ?, ?, ?, ?)');
let written = 0;
for await (const _ of createInterface({ input: process.stdin })) {
  const times = [];
  for (let index = 0; index < TRANSACTIONS; index++) {
    const begun = performance.now();
    database.exec('BEGIN IMMEDIATE');
    for (let row = 0; row < 5; row++) insert.run(`w${written++}`, 'c1', 'user', 'x'.repeat(400), Date.now());
    database.exec('COMMIT');
    times.push((performance.now() - begun) * 1000);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  process.stdout.write(`${Math.round(median(times))}\n`);
}
database.close();
