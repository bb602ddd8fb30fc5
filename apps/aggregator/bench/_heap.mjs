// Loaded into a program with --import and --expose-gc: on SIGUSR2 it collects its garbage and writes down what is left.
import { writeFileSync } from 'node:fs';

process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  writeFileSync(process.env.HEAP_FILE, JSON.stringify({ used: heapUsed + external, rss }));
});
