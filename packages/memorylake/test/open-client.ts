import { silentLogger } from '@atoll-mcp/core';
import { connectInMemory } from '@atoll-mcp/testing';
import { createMemoryLakeServer } from '../src/server.ts';
import { afterTests, configFor, hashEmbedder, newFolder } from './open-test-lake.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of many tools, checked by what the tests expect of them
export type Body = any;

/** A client of a lake in a folder, closed when the tests are over. */
export async function connect(options: { folder?: string; flags?: readonly string[] } = {}) {
  const config = configFor(options.folder ?? (await newFolder()), ...(options.flags ?? []));
  const app = createMemoryLakeServer(config, { embedder: hashEmbedder(), log: silentLogger });
  const client = await connectInMemory(app);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await client.close();
    await app.close();
  };
  afterTests(close);
  /** A client of the same lake who is limited to collections. */
  const limitedTo = async (...collections: string[]) => {
    const limited = await connectInMemory({
      ...app,
      handle: (method, params, request) =>
        app.handle(method, params, { ...request, signal: request.signal, limits: { collections } }),
    });
    afterTests(() => limited.close());
    return { client: limited, call: callerOf(limited) };
  };
  return { call: callerOf(client), client, close, limitedTo, app };
}

type Client = Awaited<ReturnType<typeof connectInMemory>>;

const callerOf =
  (client: Client) =>
  async (name: string, args: Record<string, unknown> = {}): Promise<Body> => {
    const answer = await client.callTool({ name, arguments: args });
    const [first] = answer.content as { text: string }[];
    return answer.isError ? first?.text : ((answer.structuredContent as Body).result ?? answer.structuredContent);
  };
