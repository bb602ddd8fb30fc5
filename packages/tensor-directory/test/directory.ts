import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInMemory } from '@atoll-mcp/testing';
import { onTestFinished, vi } from 'vitest';
import type { Settings } from '../src/config.ts';
import { createTensorDirectoryServer } from '../src/server.ts';

// Machines that run everything at once are slow; a test that hangs is still found.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

export interface Answer {
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly isError: boolean;
  readonly content: readonly { type: string; [field: string]: unknown }[];
}

export interface Directory {
  readonly dataDir: string;
  readonly client: Awaited<ReturnType<typeof connectInMemory>>;
  call(tool: string, args?: Record<string, unknown>): Promise<Answer>;
  /** Uploads a tensor and returns its uuid. */
  upload(name: string, data: unknown, more?: Record<string, unknown>): Promise<string>;
  ask(prompt: string, params?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tensor-directory-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A server of its own in a folder of its own, both gone when the test is. */
export async function openDirectory(settings: Partial<Settings> = {}): Promise<Directory> {
  const dataDir = settings.dataDir ?? temporaryFolder();
  const server = createTensorDirectoryServer({ ...settings, dataDir });
  const client = await connectInMemory(server);
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await client.close();
    await server.close();
  };
  onTestFinished(close);
  const call = async (tool: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    const answer = await client.callTool({ name: tool, arguments: args });
    const content = answer.content as Answer['content'];
    const text = String(content[0]?.text);
    const body = (answer.structuredContent ?? {}) as Record<string, unknown>;
    return { body, text, isError: answer.isError ?? false, content };
  };
  return {
    dataDir,
    client,
    call,
    async upload(name, data, more = {}) {
      const { body } = await call('upload_tensor', { name, description: `about ${name}`, tensor_data: data, ...more });
      if (typeof body.uuid !== 'string') throw new Error(JSON.stringify(body));
      return body.uuid;
    },
    ask: async (prompt, params) => (await call('query_tensor_directory', { prompt, ...(params && { params }) })).text,
    close,
  };
}
