import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectStdio, connectV1 } from '@atoll-mcp/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { TOOLSETS } from '../../src/index.ts';
import { closedPorts } from '../fixtures/model-service.ts';
import { emptyHome, studioHome } from '../fixtures/studio.ts';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

async function surroundings(home: string): Promise<Record<string, string>> {
  const [ai, mlx, llamacpp, vibe, ollama, studio, nexus] = (await closedPorts()).map(String);
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    MSTY_AI_PORT: ai ?? '',
    MSTY_MLX_PORT: mlx ?? '',
    MSTY_LLAMACPP_PORT: llamacpp ?? '',
    MSTY_VIBE_PORT: vibe ?? '',
    MSTY_OLLAMA_PORT: ollama ?? '',
    MSTY_LM_STUDIO_PORT: studio ?? '',
    MSTY_NEXUS_PORT: nexus ?? '',
    MSTY_TIMEOUT: '2',
  };
}

const run = (env: Record<string, string>, ...args: string[]) =>
  spawnSync(process.execPath, [cli, ...args], { env, encoding: 'utf8', input: '', timeout: 30_000 });

describe('the program', () => {
  test('serves every tool over stdio, and answers fit the schemas it shows', async () => {
    const { home } = studioHome();
    const client = await connectStdio({ command: process.execPath, args: [cli], env: await surroundings(home) });
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(62);
    for (const [name, args] of [
      ['analyse_msty_health', {}],
      ['read_msty_database', { query_type: 'personas' }],
      ['read_msty_database', { query_type: 'nothing' }],
      ['export_conversations', {}],
      ['create_prompt_template', { name: 'x', template: '{{y}}' }],
      ['chat_with_local_model', { message: 'hi' }],
    ] as const) {
      const { structuredContent, content } = await client.callTool({ name, arguments: args });
      expect(structuredContent).toMatchObject({ success: expect.any(Boolean), timestamp: expect.any(String) });
      expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent);
    }
    expect(readdirSync(home).sort()).toEqual(['.config', '.local']);
    expect(readdirSync(join(home, '.local', 'share', 'atoll'))).toEqual(['msty-admin']);
    expect(readdirSync(join(home, '.config', 'MstyStudio')).sort()).toEqual(['File System', 'SharedStorage']);
  }, 60_000);

  test('serves clients of the older SDK, with the groups that were asked for', async () => {
    const client = await connectV1({
      command: process.execPath,
      args: [cli, '--toolsets', 'conversations,install'],
      env: await surroundings(emptyHome()),
    });
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(10);
    const answer = await client.callTool({ name: 'get_server_status', arguments: {} });
    expect(answer.structuredContent).toMatchObject({
      success: true,
      data: { server: { name: 'msty-admin' }, tool_count: 10 },
    });
    expect(
      (await client.callTool({ name: 'search_conversations', arguments: { query: 'x' } })).structuredContent,
    ).toMatchObject({
      success: false,
      error: { code: 'DATABASE_NOT_FOUND' },
    });
  }, 60_000);

  test('ends with 2 on a group that there is not, and names those there are', async () => {
    const { status, stderr, stdout } = run(await surroundings(emptyHome()), '--toolsets', 'install,nonsense');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    for (const toolset of TOOLSETS) expect(stderr).toContain(toolset);
  });

  test('ends with 2 on a value that does not fit, and names the variable', async () => {
    const env = { ...(await surroundings(emptyHome())), MSTY_TIMEOUT: 'soon', MSTY_AI_PORT: '99999' };
    const { status, stderr } = run(env);
    expect(status).toBe(2);
    expect(stderr).toContain('MSTY_TIMEOUT');
    expect(stderr).toContain('MSTY_AI_PORT');
  });

  test('makes nothing at all when nothing is asked', async () => {
    const home = emptyHome();
    expect(run(await surroundings(home)).status).toBe(0);
    expect(existsSync(join(home, '.local'))).toBe(false);
  });
});
