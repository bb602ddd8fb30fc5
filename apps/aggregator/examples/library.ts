import { configDefinition, createAtollServer } from '@atoll-mcp/aggregator';
import { serveHttp } from '@atoll-mcp/server';

/** One of Atoll's servers and one of yours, behind one address. */
export async function serveBoth(dataDir: string, command: string, args: string[]) {
  const config = configDefinition.schema.parse({
    servers: { 'tensor-directory': {} },
    mcpServers: { mine: { command, args } },
  });
  const atoll = createAtollServer({ ...config, dataDir }, { env: process.env });
  const { routes, authenticate } = atoll; // the page, and who may come in if the configuration has tokens
  const { url, close } = await serveHttp(atoll, { port: 0, routes, ...(authenticate && { authenticate }) });
  return {
    url,
    status: () => atoll.status(),
    close: async () => {
      await close();
      await atoll.close();
    },
  };
}
