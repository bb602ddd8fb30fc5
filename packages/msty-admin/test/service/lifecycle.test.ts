import { connectTransport } from '@atoll-mcp/server';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMstyServer, TOOLSETS } from '../../src/index.ts';
import { connect } from '../fixtures/client.ts';
import { llamaSwapService, lmStudioService, ollamaService } from '../fixtures/lifecycle-services.ts';
import { closedPorts, modelService } from '../fixtures/model-service.ts';
import { emptyHome } from '../fixtures/studio.ts';

const MB = 1024 ** 2;
const TB = 1024 ** 4;
const SMALL = { 'llama3.2:1b': { size: MB }, 'qwen3:0.6b': { size: MB } };

const withLifecycle = (settings: object) => connect({ home: emptyHome(), toolsets: [...TOOLSETS], ...settings });

describe('the lifecycle toolset', () => {
  test('is offered only when it is asked for', async () => {
    const names = async (toolsets?: (typeof TOOLSETS)[number][]) => {
      const server = createMstyServer({ home: emptyHome(), ...(toolsets && { toolsets }) });
      const { tools } = (await server.handle(
        'tools/list',
        {},
        {
          era: 'modern',
          client: { id: 'test' },
          capabilities: {},
          meta: {},
          signal: new AbortController().signal,
          notify: async () => {},
        },
      )) as { tools: { name: string }[] };
      await server.close();
      return tools.map(({ name }) => name);
    };
    expect(await names()).not.toContain('load_model');
    expect(await names(['lifecycle'])).toEqual([
      'list_loaded_models',
      'plan_model_load',
      'load_model',
      'unload_model',
      'set_model_keep_alive',
      'pull_model',
      'delete_model',
    ]);
  });

  test('says that there is nothing to manage', async () => {
    const { call } = await withLifecycle({});
    expect((await call('list_loaded_models')).error.code).toBe('SERVICE_UNAVAILABLE');
    expect((await call('pull_model', { model_id: 'x' })).error.code).toBe('SERVICE_UNAVAILABLE');
    const plain = await modelService({ models: ['m'] });
    const other = await withLifecycle({ mlxPort: plain.port });
    expect((await other.call('load_model', { model_id: 'm' })).error.code).toBe('INVALID_PARAMETER');
    expect((await other.call('load_model', { model_id: 'nothing' })).error.code).toBe('MODEL_NOT_FOUND');
  });
});

describe('Ollama', () => {
  test('loads, keeps, lists and unloads', async () => {
    const ollama = await ollamaService(SMALL);
    const { call } = await withLifecycle({ ollamaPort: ollama.port });
    expect((await call('load_model', { model_id: 'llama3.2:1b', keep_alive_minutes: 10 })).data).toMatchObject({
      model_id: 'llama3.2:1b',
      service: 'ollama',
      loaded: true,
      expires_at: '2030-01-01T00:10:00.000Z',
      plan: { already_loaded: false, fits: true, stays: [], evicted: [], unload_first: [] },
    });
    expect(ollama.bodies.at(-1)).toMatchObject({ model: 'llama3.2:1b', keep_alive: 600 });
    expect((await call('list_loaded_models')).data).toMatchObject({
      models: [{ model_id: 'llama3.2:1b', service: 'ollama', memory_gb: 0.00098 }],
      services: [{ name: 'ollama', port: ollama.port, protocol: 'ollama' }],
    });
    expect((await call('list_available_models')).data).toMatchObject({
      models: [{ id: 'llama3.2:1b', loaded: true }, { loaded: false }],
    });
    const forever = await call('set_model_keep_alive', { model_id: 'llama3.2:1b', minutes: -1 });
    expect(forever.data).toMatchObject({ expires_at: null });
    expect((await call('load_model', { model_id: 'llama3.2:1b' })).data).toMatchObject({
      plan: { already_loaded: true },
    });
    expect((await call('unload_model', { model_id: 'llama3.2:1b' })).data).toEqual({
      model_id: 'llama3.2:1b',
      service: 'ollama',
      unloaded: true,
    });
    expect(ollama.loaded.size).toBe(0);
    expect((await call('unload_model', { model_id: 'llama3.2:1b' })).error).toMatchObject({
      code: 'MODEL_ERROR',
      message: expect.stringContaining('not loaded'),
    });
    expect((await call('set_model_keep_alive', { model_id: 'llama3.2:1b', minutes: 5 })).error.code).toBe(
      'MODEL_ERROR',
    );
    expect((await call('set_model_keep_alive', { model_id: 'llama3.2:1b', minutes: -0.5 })).error.code).toBe(
      'INVALID_PARAMETER',
    );
  });

  test('loads embedding models by the path that they accept', async () => {
    const ollama = await ollamaService({ 'nomic-embed-text': { size: MB, capabilities: ['embedding'] } });
    const { call } = await withLifecycle({ ollamaPort: ollama.port });
    expect((await call('load_model', { model_id: 'nomic-embed-text' })).data).toMatchObject({ loaded: true });
    expect(ollama.requests).toContain('POST /api/embed');
    expect((await call('unload_model', { model_id: 'nomic-embed-text' })).success).toBe(true);
  });

  test('is planned without loading anything', async () => {
    const ollama = await ollamaService(
      { 'huge:1t': { size: 100 * TB }, ...SMALL },
      { loaded: { 'qwen3:0.6b': '2030-01-01T00:00:00Z' } },
    );
    const { call } = await withLifecycle({ ollamaPort: ollama.port });
    expect((await call('plan_model_load', { model_id: 'llama3.2:1b' })).data).toMatchObject({
      fits: true,
      needed_gb: 0.0012,
      stays: [{ model_id: 'qwen3:0.6b' }],
    });
    expect((await call('plan_model_load', { model_id: 'huge:1t' })).data).toMatchObject({
      fits: false,
      needed_gb: 128_000,
      stays: [],
      evicted: [{ model_id: 'qwen3:0.6b', reason: expect.stringContaining('Ollama') }],
      unload_first: [],
    });
    expect((await call('load_model', { model_id: 'huge:1t', allow_eviction: true })).error).toMatchObject({
      code: 'MODEL_ERROR',
      message: expect.stringContaining('128000 GB'),
    });
    expect(ollama.requests).not.toContain('POST /api/generate');
  });

  test('downloads with progress that only grows', async () => {
    const ollama = await ollamaService(SMALL);
    const { call } = await withLifecycle({ ollamaPort: ollama.port });
    const reports: [number, number | undefined][] = [];
    const pulled = await call(
      'pull_model',
      { model_id: 'gemma3:1b' },
      { onprogress: ({ progress, total }) => void reports.push([progress, total]) },
    );
    expect(pulled.data).toEqual({ model_id: 'gemma3:1b', service: 'ollama', pulled: true });
    expect(reports).toEqual([
      [0, undefined],
      [40, 100],
      [100, 100],
      [110, 110],
    ]);
    expect((await call('list_available_models')).data).toMatchObject({ total: 3, cached: true });
  });

  test.each([
    [[{ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }], 'MODEL_NOT_FOUND'],
    [[{ status: 'pulling manifest' }, { error: 'write: no space left on device' }], 'API_ERROR'],
    [[{ status: 'pulling aaa', digest: 'sha256:aaa', total: 100, completed: 40 }], 'API_ERROR'],
  ])('does not claim a download that ended with %j', async (pulls, code) => {
    const ollama = await ollamaService(SMALL, { pulls });
    const { call } = await withLifecycle({ ollamaPort: ollama.port });
    const answer = await call('pull_model', { model_id: 'nothing' });
    expect(answer.error.code).toBe(code);
    expect(JSON.stringify(answer)).not.toContain('space left');
  });

  test('a download is stopped when the call is cancelled', async () => {
    const ollama = await ollamaService(SMALL, { pulls: [] });
    const held = await modelService({
      models: ['x'],
      routes: {
        'GET /api/ps': { models: [] },
        'POST /api/pull': (
          _request: unknown,
          response: { writeHead(status: number): void; write(text: string): void },
        ) => {
          response.writeHead(200);
          response.write('{"status":"pulling manifest"}\n');
        },
      },
    });
    const { call } = await withLifecycle({ ollamaPort: held.port });
    const controller = new AbortController();
    const pulling = call(
      'pull_model',
      { model_id: 'x' },
      { signal: controller.signal, onprogress: () => controller.abort() },
    ).catch((error: Error) => error);
    expect(await pulling).toBeInstanceOf(Error);
    await expect.poll(() => held.aborted).toEqual(['POST /api/pull']);
    await ollama.stop();
  });
});

describe('deleting', () => {
  async function asking(answer: { action: 'accept' | 'decline'; content?: { confirm: boolean } } | undefined) {
    const ollama = await ollamaService({ 'llama3.2:1b': { size: 2 * 1024 ** 3 } });
    const [aiPort, mlxPort, llamacppPort, vibePort, lmStudioPort] = await closedPorts();
    const ports = { aiPort, mlxPort, llamacppPort, vibePort, lmStudioPort, ollamaPort: ollama.port };
    const home = emptyHome();
    const server = createMstyServer({ home, toolsets: ['lifecycle'], dataDir: `${home}/data`, ...ports });
    const questions: string[] = [];
    const client = new Client(
      { name: 'test', version: '0' },
      { capabilities: answer ? { elicitation: { form: {} } } : {} },
    );
    if (answer) {
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        questions.push(params.message);
        return answer;
      });
    }
    const [near, far] = InMemoryTransport.createLinkedPair();
    await connectTransport(server, far);
    await client.connect(near);
    onTestFinished(async () => {
      await client.close();
      await server.close();
    });
    const { structuredContent } = await client.callTool({
      name: 'delete_model',
      arguments: { model_id: 'llama3.2:1b' },
    });
    return { body: structuredContent, questions, left: [...ollama.models.keys()] };
  }

  test('happens after the user has confirmed it', async () => {
    const { body, questions, left } = await asking({ action: 'accept', content: { confirm: true } });
    expect(body).toMatchObject({ success: true, data: { model_id: 'llama3.2:1b', service: 'ollama', deleted: true } });
    expect(questions).toEqual([
      'Delete the model "llama3.2:1b" (2 GB) from ollama? It would have to be downloaded again.',
    ]);
    expect(left).toEqual([]);
  });

  test.each([
    ['the user declines', { action: 'decline' as const }, 'did not confirm'],
    ['the user says no', { action: 'accept' as const, content: { confirm: false } }, 'did not confirm'],
    ['the client cannot ask', undefined, 'cannot ask'],
  ])('does not happen when %s', async (_when, answer, message) => {
    const { body, left } = await asking(answer);
    expect(body).toMatchObject({
      success: false,
      error: { code: 'PERMISSION_ERROR', message: expect.stringContaining(message) },
    });
    expect(left).toEqual(['llama3.2:1b']);
  });

  test('is not offered by LM Studio and llama-swap', async () => {
    const studio = await lmStudioService({ 'qwen/qwen3-4b': MB });
    const swap = await llamaSwapService(['a']);
    const { call } = await withLifecycle({ lmStudioPort: studio.port, llamacppPort: swap.port });
    for (const model_id of ['qwen/qwen3-4b', 'a']) {
      expect((await call('delete_model', { model_id })).error).toMatchObject({
        code: 'INVALID_PARAMETER',
        message: expect.stringContaining('does not support deletion'),
      });
    }
  });
});

describe('LM Studio', () => {
  test('loads, unloads every instance and downloads', async () => {
    const studio = await lmStudioService({ 'qwen/qwen3-4b': MB, 'google/gemma-3-1b': MB }, ['google/gemma-3-1b']);
    const { call } = await withLifecycle({ lmStudioPort: studio.port });
    expect((await call('load_model', { model_id: 'qwen/qwen3-4b', context_length: 4096 })).data).toMatchObject({
      service: 'lm_studio',
      loaded: true,
      expires_at: null,
      plan: { stays: [{ model_id: 'google/gemma-3-1b' }] },
    });
    expect(studio.bodies.at(-1)).toEqual({ model: 'qwen/qwen3-4b', context_length: 4096 });
    studio.instances.set('qwen/qwen3-4b:2', 'qwen/qwen3-4b');
    expect((await call('unload_model', { model_id: 'qwen/qwen3-4b' })).success).toBe(true);
    expect([...studio.instances.keys()]).toEqual(['google/gemma-3-1b']);
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }) => void reports.push(progress);
    expect((await call('pull_model', { model_id: 'new/model' }, { onprogress })).data).toMatchObject({ pulled: true });
    expect(reports).toEqual([50, 150]);
    expect((await call('pull_model', { model_id: 'there' })).data).toMatchObject({ pulled: true });
    expect((await call('pull_model', { model_id: 'unknown' })).error.code).toBe('MODEL_NOT_FOUND');
    for (const [tool, args] of [
      ['set_model_keep_alive', { model_id: 'google/gemma-3-1b', minutes: 5 }],
      ['load_model', { model_id: 'qwen/qwen3-4b', keep_alive_minutes: 5 }],
    ] as const) {
      expect((await call(tool, args)).error.message).toContain('does not support a keep-alive time');
    }
  });
});

describe('llama-swap', () => {
  test('evicts its other models only when that is allowed', async () => {
    const swap = await llamaSwapService(['a', 'b']);
    const { call } = await withLifecycle({ llamacppPort: swap.port });
    expect((await call('load_model', { model_id: 'a' })).data).toMatchObject({ service: 'llamacpp', loaded: true });
    expect((await call('plan_model_load', { model_id: 'b' })).data).toMatchObject({
      fits: null,
      needed_gb: null,
      evicted: [{ model_id: 'a', reason: expect.stringContaining('llama-swap') }],
    });
    expect((await call('load_model', { model_id: 'b' })).error).toMatchObject({
      code: 'INVALID_PARAMETER',
      message: 'Loading "b" would evict: a',
      suggestion: expect.stringContaining('allow_eviction'),
    });
    expect([...swap.running.keys()]).toEqual(['a']);
    expect((await call('load_model', { model_id: 'b', allow_eviction: true })).data).toMatchObject({ loaded: true });
    expect([...swap.running.keys()]).toEqual(['b']);
    expect((await call('unload_model', { model_id: 'b' })).success).toBe(true);
    expect(swap.running.size).toBe(0);
    expect((await call('pull_model', { model_id: 'c' })).error.message).toContain('does not support downloads');
    expect((await call('load_model', { model_id: 'a', context_length: 10 })).error.code).toBe('INVALID_PARAMETER');
  });
});

test('the same model is managed on the service that is named', async () => {
  const first = await ollamaService(SMALL);
  const second = await ollamaService(SMALL);
  const { call } = await withLifecycle({ aiPort: first.port, ollamaPort: second.port });
  expect((await call('load_model', { model_id: 'llama3.2:1b', service: 'ollama' })).data).toMatchObject({
    service: 'ollama',
  });
  expect([first.loaded.size, second.loaded.size]).toEqual([0, 1]);
  expect((await call('plan_model_load', { model_id: 'qwen3:0.6b', service: 'local_ai' })).data).toMatchObject({
    service: 'local_ai',
    stays: [{ model_id: 'llama3.2:1b', service: 'ollama' }],
  });
  expect((await call('load_model', { model_id: 'llama3.2:1b', service: 'lm_studio' })).error.code).toBe(
    'MODEL_NOT_FOUND',
  );
});
