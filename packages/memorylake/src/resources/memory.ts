import type { Resource } from '@atoll-mcp/core';
import { showListed } from '../schemas.ts';
import type { Lake } from '../service/limits/lake.ts';

const SUGGESTIONS = 100;

/** Every memory as a resource: what it is, and its text. */
export const memoryResource: Resource<Lake> = {
  uriTemplate: 'memory://{id}',
  name: 'memory',
  title: 'A memory',
  description: 'What is known of a file of the lake, and its text',
  mimeType: 'text/plain',
  async list({ offset, limit }, { service }) {
    const { items } = await service.list({ status: 'ready', offset, limit });
    return items.map(({ id, name, summary, sizeBytes }) => ({
      uri: `memory://${id}`,
      name,
      description: summary.slice(0, 200),
      mimeType: 'text/plain',
      size: sizeBytes,
    }));
  },
  complete: {
    async id(typed, { service }) {
      const { items } = await service.list({ status: 'ready', limit: 500 });
      const wanted = typed.toLowerCase();
      return items
        .filter(({ id, name }) => id.startsWith(typed) || name.toLowerCase().includes(wanted))
        .slice(0, SUGGESTIONS)
        .map(({ id }) => id);
    },
  },
  async read({ id }, { service }, uri) {
    const [memory] = await service.fetch([id ?? '']);
    if (!memory) return undefined;
    const facts = JSON.stringify({ ...showListed(memory), summary: memory.summary }, null, 2);
    if (memory.status !== 'ready') return [{ uri, mimeType: 'application/json', text: facts }];
    const { text } = await service.read(memory.id, {});
    return [
      { uri, mimeType: 'application/json', text: facts },
      { uri, mimeType: 'text/plain', text },
    ];
  },
};
