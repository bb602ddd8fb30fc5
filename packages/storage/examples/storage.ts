import type { StoredRecord } from '@atoll-mcp/core/storage';
import { openStorage } from '@atoll-mcp/storage';

interface Note extends StoredRecord {
  readonly title: string;
  readonly body: string;
}

/** Opens nothing before it is used. `url: 'memory:'` keeps everything in memory, for tests. */
export async function rememberReef(dataDir: string): Promise<string[]> {
  const storage = openStorage({ dataDir });
  const notes = storage.records.collection<Note>({
    name: 'notes',
    version: 1,
    fields: { title: 'text' },
    ignoreCase: ['title'],
  });
  await notes.put({ id: '1', title: 'Reef', body: 'Durable as soon as put resolves.' });
  const { items } = await notes.list({ where: { title: { contains: 'REE', ignoreCase: true } }, limit: 50 });
  await storage.close();
  return items.map(({ title }) => title);
}
