import { describe, expect, test } from 'vitest';
import { connect } from '../fixtures/client.ts';
import { hang, json, modelService, streamed, whole } from '../fixtures/model-service.ts';
import { emptyHome, studioHome } from '../fixtures/studio.ts';

const MIXED = ['nomic-embed-text', 'llama3.2:3b', 'qwen2.5-coder:32b', 'deepseek-r1:70b'];

describe('list_available_models', () => {
  test('joins the models of all services and says where each runs', async () => {
    const local = await modelService({ models: ['llama3.2:3b'] });
    const mlx = await modelService({ models: ['mlx-community/Qwen3-8B-4bit'] });
    const { call } = await connect({ home: emptyHome(), aiPort: local.port, mlxPort: mlx.port });
    const { data } = await call('list_available_models');
    expect(data).toMatchObject({
      total: 2,
      cached: false,
      models: [
        {
          id: 'llama3.2:3b',
          _service: 'local_ai',
          _port: local.port,
          parameters_b: 3,
          context_length: null,
          loaded: null,
        },
        { id: 'mlx-community/Qwen3-8B-4bit', _service: 'mlx', _port: mlx.port, quantisation: '4bit' },
      ],
      by_service: {
        local_ai: { port: local.port, available: true, model_count: 1, problem: null },
        mlx: { port: mlx.port, available: true },
        llamacpp: { available: false },
      },
    });
  });

  test('is answered from the cache the second time, with no request', async () => {
    const local = await modelService();
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    expect((await call('get_cache_stats')).data).toEqual({ hits: 0, misses: 0, total_entries: 0 });
    await call('list_available_models');
    const asked = local.requests.length;
    expect((await call('list_available_models')).data).toMatchObject({ cached: true, total: 1 });
    expect(local.requests).toHaveLength(asked);
    expect((await call('get_cache_stats')).data).toEqual({ hits: 1, misses: 1, total_entries: 1 });
    expect((await call('clear_cache')).data).toEqual({ cleared: 1, hits: 0, misses: 0, total_entries: 0 });
    expect((await call('list_available_models')).data).toMatchObject({ cached: false });
    expect(local.requests.length).toBeGreaterThan(asked);
  });

  test('says so when no service runs, and does not remember it', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('list_available_models')).data).toMatchObject({ total: 0, models: [] });
    expect((await call('get_cache_stats')).data).toMatchObject({ total_entries: 0 });
  });

  test('takes facts from Ollama rather than from the name', async () => {
    const ollama = await modelService({
      models: ['mystery:latest'],
      routes: {
        'GET /api/tags': {
          models: [
            {
              name: 'mystery:latest',
              size: 4_294_967_296,
              details: { parameter_size: '70.6B', quantization_level: 'Q4_K_M' },
            },
          ],
        },
        'GET /api/ps': { models: [{ name: 'mystery:latest' }] },
        'POST /api/show': { model_info: { 'llama.context_length': 131_072 }, capabilities: ['completion', 'vision'] },
      },
    });
    const { call } = await connect({ home: emptyHome(), ollamaPort: ollama.port });
    expect((await call('list_available_models')).data).toMatchObject({
      models: [{ id: 'mystery:latest', parameters_b: 70.6, quantisation: 'q4_k_m', size_gb: 4, loaded: true }],
    });
    expect((await call('get_model_details', { model_id: 'mystery:latest' })).data).toMatchObject({
      service: 'ollama',
      context_length: 131_072,
      tags: ['quality', 'vision', 'long_context', 'large'],
    });
    expect((await call('estimate_model_requirements', { model_id: 'mystery:latest' })).data).toMatchObject({
      basis: 'service',
      model_memory_gb: 4,
      recommended_vram_gb: 5,
      recommended_ram_gb: 7.5,
    });
  });

  test('takes facts from LM Studio and llama.cpp', async () => {
    const studio = await modelService({
      models: ['plain-a', 'plain-b'],
      routes: {
        'GET /api/v0/models': {
          data: [
            { id: 'plain-a', type: 'embeddings', state: 'not-loaded', max_context_length: 512 },
            { id: 'plain-b', type: 'vlm', state: 'loaded', quantization: '4bit', max_context_length: 32_768 },
          ],
        },
      },
    });
    const llama = await modelService({
      models: [{ id: 'tiny.gguf', meta: { n_ctx_train: 2048, n_params: 1_100_000_000, size: 668_788_096 } }],
      routes: { 'GET /props': { default_generation_settings: { n_ctx: 1024 } } },
    });
    const { call } = await connect({ home: emptyHome(), lmStudioPort: studio.port, llamacppPort: llama.port });
    expect((await call('list_available_models')).data).toMatchObject({
      models: [
        { id: 'tiny.gguf', _service: 'llamacpp', parameters_b: 1.1, context_length: 2048, size_gb: 0.62 },
        { id: 'plain-a', _service: 'lm_studio', tags: ['embedding'], loaded: false, context_length: 512 },
        { id: 'plain-b', tags: ['vision'], loaded: true, context_length: 32_768 },
      ],
    });
    expect((await call('get_model_details', { model_id: 'tiny.gguf' })).data).toMatchObject({ context_length: 1024 });
    expect((await call('chat_with_local_model', { message: 'hi', model: 'plain-a' })).error.code).toBe(
      'INVALID_PARAMETER',
    );
  });

  test('reads a service that only speaks as Ollama does', async () => {
    const ollama = await modelService({
      routes: {
        'GET /v1/models': (_: unknown, response: never) => json(response, {}, 404),
        'GET /api/tags': { models: [{ name: 'a:1b' }] },
      },
    });
    const { call } = await connect({ home: emptyHome(), mlxPort: ollama.port });
    expect((await call('list_available_models')).data).toMatchObject({ models: [{ id: 'a:1b', _service: 'mlx' }] });
  });
});

describe('services that misbehave', () => {
  const garbage = (_: unknown, response: never) => (response as { end(text: string): void }).end('<html>what?</html>');
  const huge = (_: unknown, response: never) => {
    const out = response as {
      write(text: Buffer): boolean;
      end(): void;
      destroyed: boolean;
      once(name: string, then: () => void): void;
    };
    let left = 100;
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    const more = () => {
      while (left > 0 && !out.destroyed) {
        left -= 1;
        if (!out.write(megabyte)) return out.once('drain', more);
      }
      out.end();
    };
    more();
  };
  const redirect = (_: unknown, response: never) =>
    (response as { writeHead(status: number, headers: object): { end(): void } })
      .writeHead(302, { location: 'http://example.com/v1/models' })
      .end();

  test.each([
    ['hangs', hang, 'TIMEOUT_ERROR'],
    ['sends garbage', garbage, 'API_ERROR'],
    ['sends 100 MB', huge, 'API_ERROR'],
    ['sends something else than models', { hello: 'world' }, 'API_ERROR'],
    ['redirects elsewhere', redirect, 'API_ERROR'],
    ['fails', (_: unknown, response: never) => json(response, { error: 'sk-service-0123456789' }, 500), 'API_ERROR'],
    ['hangs up', (request: { socket: { destroy(): void } }) => request.socket.destroy(), 'API_ERROR'],
  ])('one that %s is not available, and the reason is told', async (_what, route, code) => {
    const service = await modelService({ routes: { 'GET /v1/models': route } });
    const { call } = await connect({ home: emptyHome(), mlxPort: service.port, timeout: route === hang ? 1 : 30 });
    const status = await call<{ by_service: { mlx: { available: boolean; problem: string } } }>('get_sidecar_status');
    expect(status.data.by_service.mlx).toMatchObject({ available: false, problem: expect.any(String) });
    const answer = await call('chat_with_local_model', { message: 'hi' });
    expect(answer.error).toMatchObject({ code, suggestion: expect.any(String) });
    expect(JSON.stringify(answer)).not.toContain('sk-service');
    expect((await call('get_server_status')).success).toBe(true);
  });

  test('all of them hanging take one time-out together, not one each', async () => {
    const services = await Promise.all(
      Array.from({ length: 6 }, () =>
        modelService({
          routes: { 'GET /v1/models': hang, 'GET /api/tags': hang, 'GET /api/ps': hang, 'GET /api/v0/models': hang },
        }),
      ),
    );
    const [a, b, c, d, e, f] = services.map(({ port }) => port);
    const ports = { aiPort: a, mlxPort: b, llamacppPort: c, vibePort: d, ollamaPort: e, lmStudioPort: f };
    const { call } = await connect({ home: studioHome().home, ...ports, timeout: 1 });
    const { data } = await call('analyse_msty_health');
    expect(data).toMatchObject({
      overall_status: 'warning',
      database_status: { exists: true, integrity: 'ok' },
      service_status: { local_ai: { available: false, port: a }, vibe_proxy: { available: false, port: d } },
    });
    for (const { aborted } of services) await expect.poll(() => aborted.length, { timeout: 30_000 }).toBeGreaterThan(0);
  });
});

describe('query_local_ai_service', () => {
  test('returns what the service answers, without secrets', async () => {
    const local = await modelService({ routes: { 'GET /api/version': { version: '0.9', apiKey: 'abc' } } });
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    expect((await call('query_local_ai_service', { endpoint: '/api/version' })).data).toEqual({
      endpoint: '/api/version',
      method: 'GET',
      port: local.port,
      status: 200,
      response: { version: '0.9', apiKey: '[redacted]' },
    });
  });

  test('sends a body given as an object or as text', async () => {
    const local = await modelService({ routes: { 'POST /api/show': { ok: true } } });
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    for (const request_body of [{ model: 'm' }, '{"model":"m"}']) {
      await call('query_local_ai_service', { endpoint: '/api/show', method: 'POST', request_body });
    }
    expect(local.bodies).toEqual([{ model: 'm' }, { model: 'm' }]);
  });

  test.each([
    [{ endpoint: '/api/pull', method: 'POST' }, 'INVALID_PARAMETER'],
    [{ endpoint: '/API/Delete', method: 'POST' }, 'INVALID_PARAMETER'],
    [{ endpoint: '/v1/../api/pull', method: 'POST' }, 'INVALID_PARAMETER'],
    [{ endpoint: '//example.com/' }, 'INVALID_PARAMETER'],
    [{ endpoint: 'http://example.com/' }, 'INVALID_PARAMETER'],
    [{ endpoint: '/v1/models\r\nx: y' }, 'INVALID_PARAMETER'],
    [{ endpoint: '/%61pi/pull' }, 'INVALID_PARAMETER'],
    [{ method: 'DELETE' }, 'INVALID_PARAMETER'],
    [{ endpoint: '/api/show', method: 'POST', request_body: '{oops' }, 'VALIDATION_ERROR'],
    [{ endpoint: '/nowhere' }, 'API_ERROR'],
  ])('refuses %j with %s', async (args, code) => {
    const local = await modelService();
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    expect((await call('query_local_ai_service', args)).error.code).toBe(code);
    expect(local.requests.filter((request) => !request.endsWith('/nowhere'))).toEqual([]);
  });

  test('says when the service is down', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('query_local_ai_service')).error.code).toBe('SERVICE_UNAVAILABLE');
  });
});

describe('choosing a model', () => {
  const connected = async () => {
    const local = await modelService({ models: MIXED });
    return connect({ home: emptyHome(), aiPort: local.port });
  };
  type Found = { models: { id: string }[] };

  test('finds by tag, embedding models only when they are asked for', async () => {
    const { call } = await connected();
    const ids = async (args: object) =>
      (await call<Found>('find_model_by_tag', { ...args })).data.models.map(({ id }) => id);
    expect(await ids({ tag: 'coding' })).toEqual(['qwen2.5-coder:32b']);
    expect(await ids({ tag: 'embedding' })).toEqual(['nomic-embed-text']);
    expect(await ids({ tag: 'large' })).toEqual(['deepseek-r1:70b']);
    expect(await ids({ tag: 'creative' })).toEqual([]);
  });

  test('leaves embedding models out when that is said, whatever the tag', async () => {
    const { call } = await connected();
    const found = async (args: object) => (await call('find_model_by_tag', { tag: 'embedding', ...args })).data;
    expect(await found({ exclude_embedding: true })).toMatchObject({ models: [], count: 0, embedding_excluded: 1 });
    expect(await found({ exclude_embedding: false })).toMatchObject({ count: 1, embedding_excluded: 0 });
    expect(await found({})).toMatchObject({ count: 1, embedding_excluded: 0 });
    expect(await found({ tag: 'small', exclude_embedding: false })).toMatchObject({ count: 1 });
  });

  test('takes a size of 0 for an unknown one', async () => {
    const unknown = {
      id: 'mystery',
      object: 'model',
      size: 0,
      details: { parameter_size: '0B' },
      meta: { size: 0, n_params: 0 },
    };
    const tiny = { id: 'tiny', object: 'model', meta: { size: 1_000_000, n_params: 250_000 } };
    const local = await modelService({ models: [unknown, tiny] });
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    const nothing = { parameters_b: null, model_memory_gb: null, recommended_vram_gb: null };
    expect((await call('get_model_details', { model_id: 'mystery' })).data).toMatchObject({
      ...nothing,
      size_gb: null,
    });
    expect((await call('estimate_model_requirements', { model_id: 'mystery' })).data).toMatchObject({
      ...nothing,
      basis: null,
      recommended_ram_gb: null,
    });
    expect((await call('estimate_model_requirements', { model_id: 'mystery-0b' })).data).toMatchObject(nothing);
    const { data } = await call<Record<string, number>>('get_model_details', { model_id: 'tiny' });
    for (const name of ['size_gb', 'parameters_b', 'model_memory_gb', 'recommended_vram_gb']) {
      expect(data[name], name).toBeGreaterThan(0);
    }
    // What is not known to fit is not recommended.
    expect((await call('recommend_model', { max_size_gb: 1 })).data).toMatchObject({
      recommended: { model_id: 'tiny' },
      alternatives: [],
    });
  });

  test('puts the smaller ones first when speed is wanted', async () => {
    const local = await modelService({ models: ['llama3.1:70b', 'llama3.1:8b', 'llama3.2:1b'] });
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    const { data } = await call<Found>('find_model_by_tag', { tag: 'general', prefer_fast: true });
    expect(data.models.map(({ id }) => id)).toEqual(['llama3.2:1b', 'llama3.1:8b', 'llama3.1:70b']);
  });

  test('refuses a tag that there is not', async () => {
    const { call } = await connected();
    expect((await call('find_model_by_tag', { tag: 'shiny' })).error.code).toBe('INVALID_PARAMETER');
    expect((await call('find_model_by_tag')).error.code).toBe('MISSING_PARAMETER');
  });

  test('recommends for a use case, with at most three alternatives', async () => {
    const { call } = await connected();
    const { data } = await call<{ alternatives: unknown[] }>('recommend_model', { use_case: 'coding' });
    expect(data).toMatchObject({ recommended: { model_id: 'qwen2.5-coder:32b', service: 'local_ai' } });
    expect(data.alternatives).toHaveLength(2);
    expect((await call('recommend_model', { use_case: 'fast' })).data).toMatchObject({
      recommended: { model_id: 'llama3.2:3b' },
    });
    expect((await call('recommend_model', { max_size_gb: 2 })).data).toMatchObject({
      recommended: { model_id: 'llama3.2:3b' },
      alternatives: [],
    });
    expect((await call('recommend_model', { max_size_gb: 0.01 })).error.code).toBe('MODEL_NOT_FOUND');
  });

  test('routes a task by what it is about', async () => {
    const { call } = await connected();
    const route = async (task_description: string, more = {}) =>
      (await call('smart_model_router', { task_description, ...more })).data;
    expect(await route('Refactor this Python function')).toMatchObject({
      category: 'coding',
      recommended: { model_id: 'qwen2.5-coder:32b' },
    });
    expect(await route('Prove that there are infinitely many primes')).toMatchObject({
      category: 'reasoning',
      recommended: { model_id: 'deepseek-r1:70b' },
    });
    expect(await route('say hello', { prefer_speed: true })).toMatchObject({
      recommended: { model_id: 'llama3.2:3b' },
    });
  });

  test('shows tags of all models, or of one that is not even here', async () => {
    const { call } = await connected();
    expect((await call<Found>('list_model_tags')).data.models).toHaveLength(4);
    expect((await call('list_model_tags', { model_id: 'llava:13b' })).data).toMatchObject({
      tags: ['vision', 'medium'],
    });
  });

  test.each([
    ['chat_with_local_model', { message: 'hi' }],
    ['recommend_model', {}],
    ['find_model_by_tag', { tag: 'fast' }],
    ['smart_model_router', { task_description: 'x' }],
    ['get_model_details', { model_id: 'x' }],
    ['benchmark_model', { model_id: 'x' }],
    ['compare_model_responses', { prompt: 'x' }],
    ['run_calibration_test', {}],
  ])('%s needs a service', async (tool, args) => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call(tool, args)).error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      suggestion: expect.stringContaining('get_sidecar_status'),
    });
  });

  test('is possible with embedding models only for embedding', async () => {
    const local = await modelService({ models: ['nomic-embed-text'] });
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    expect((await call('chat_with_local_model', { message: 'hi' })).error.code).toBe('MODEL_NOT_FOUND');
    expect((await call('recommend_model')).error.code).toBe('MODEL_NOT_FOUND');
  });
});

describe('ports', () => {
  test("come from Msty's own settings, unless they are set on purpose", async () => {
    const { writeFileSync } = await import('node:fs');
    const { home, path } = studioHome();
    const configured = await modelService();
    const settings = {
      localAIService: { host: `http://127.0.0.1:${configured.port}` },
      mlxService: { host: 'http://192.168.1.5:11973' },
    };
    writeFileSync(path.replace('File System/000/t/00/00000000', 'Gifnoc.nosj'), JSON.stringify(settings));
    const { call } = await connect({ home, aiPort: undefined, mlxPort: undefined });
    expect((await call('get_sidecar_status')).data).toMatchObject({
      by_service: { local_ai: { port: configured.port, available: true }, mlx: { port: 11973 } },
    });
    const other = await modelService();
    const { call: callOther } = await connect({ home, aiPort: other.port });
    expect((await callOther('get_sidecar_status')).data).toMatchObject({
      by_service: { local_ai: { port: other.port } },
    });
  });

  test('that two services share are asked once', async () => {
    const local = await modelService();
    const { call } = await connect({ home: emptyHome(), aiPort: local.port, ollamaPort: local.port });
    expect((await call<{ models: unknown[] }>('list_available_models')).data.models).toHaveLength(1);
  });
});

describe('a proxy in the environment', () => {
  test('is not used', async () => {
    const proxy = await modelService();
    const local = await modelService({ chat: whole('direct') });
    const before = { ...process.env };
    Object.assign(process.env, {
      HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
      http_proxy: `http://127.0.0.1:${proxy.port}`,
      NODE_USE_ENV_PROXY: '1',
    });
    try {
      const { call } = await connect({ home: emptyHome(), aiPort: local.port });
      expect((await call('chat_with_local_model', { message: 'hi' })).data).toMatchObject({ response: 'direct' });
    } finally {
      process.env = before;
    }
    expect(proxy.requests).toEqual([]);
  });
});

test('streams are put together', async () => {
  const local = await modelService({ chat: streamed('one two three') });
  const { call } = await connect({ home: emptyHome(), aiPort: local.port });
  expect((await call('chat_with_local_model', { message: 'hi' })).data).toMatchObject({ response: 'one two three' });
});
