import { fileURLToPath } from 'node:url';
import { privacySuite } from '@atoll-mcp/testing';
import { expect } from 'vitest';

const CSV = 'city,people\nBern,134000\nKyoto,1460000\n';

privacySuite({
  cli: fileURLToPath(new URL('../../dist/cli.js', import.meta.url)),
  workout: async (client) => {
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false, `${name}: ${JSON.stringify(result.content)}`).toBe(false);
      return JSON.stringify(result.structuredContent);
    };
    await call('add_memory', { name: 'tides.txt', text: 'The moon pulls the sea, and so the tide comes twice a day.' });
    await call('add_memory', { name: 'cities.csv', base64: Buffer.from(CSV).toString('base64') });
    await expect
      .poll(() => call('search_memory', { query: 'why does the sea rise' }), { timeout: 60_000 })
      .toContain('tides.txt');
    expect(await call('query_memory_tables', { sql: 'SELECT 1 AS one' })).toContain('one');
    await call('get_memorylake_metadata', {});
  },
});
