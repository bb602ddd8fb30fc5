import { fileURLToPath } from 'node:url';
import { privacySuite } from '@atoll-mcp/testing';
import { expect } from 'vitest';

// Without Msty: every path that looks for it and for local model services.
const CALLS = [
  'detect_msty_installation',
  'get_server_status',
  'get_sidecar_status',
  'list_available_models',
  'analyse_msty_health',
] as const;

privacySuite({
  cli: fileURLToPath(new URL('../../dist/cli.js', import.meta.url)),
  workout: async (client) => {
    const known = (await client.listTools()).tools.map(({ name }) => name);
    for (const name of CALLS) {
      expect(known).toContain(name);
      const { structuredContent } = await client.callTool({ name, arguments: {} });
      expect(structuredContent, name).toHaveProperty('success');
    }
  },
});
