import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { TOOLSETS, type Toolset } from '../../src/index.ts';
import { connect } from '../fixtures/client.ts';
import { llamaSwapService } from '../fixtures/lifecycle-services.ts';
import { hasLlamaCpp, startLlamaCpp } from '../fixtures/llamacpp.ts';
import { emptyHome } from '../fixtures/studio.ts';

/** llama.cpp's own HTTP server with a tiny model: what our fixtures might get wrong. */
describe('a real llama.cpp server', { timeout: 120_000, ...requires(hasLlamaCpp(), 'llamacpp') }, () => {
  test('is found and described in its own words', async () => {
    const { call, model, port } = await withServer();
    expect((await call('get_sidecar_status')).data).toMatchObject({
      available_count: 1,
      by_service: { llamacpp: { available: true, port, model_count: 1, problem: null } },
    });
    expect((await call('analyse_msty_health')).data).toMatchObject({
      service_status: { llamacpp: { available: true, port }, ollama: { available: false } },
    });
    const { data } = await call<{ models: object[] }>('list_available_models');
    expect(data.models).toEqual([
      expect.objectContaining({
        id: model,
        _service: 'llamacpp',
        _port: port,
        context_length: 16_384,
        parameters_b: 0.001,
        quantisation: 'f32',
        loaded: true,
      }),
    ]);
    expect((await call('get_model_details', { model_id: model })).data).toMatchObject({ context_length: 16_384 });
  });

  test('is the same to us where Msty has its Local AI service', async () => {
    const { call, model } = await withServer('chat', 'aiPort');
    expect((await call('list_available_models')).data).toMatchObject({ models: [{ id: model, _service: 'local_ai' }] });
    const list = await call('query_local_ai_service', { endpoint: '/v1/models' });
    expect(list.data).toMatchObject({ status: 200, response: { data: [{ id: model }] } });
    const missing = await call('query_local_ai_service', { endpoint: '/api/tags' });
    expect(missing.error).toMatchObject({ code: 'API_ERROR', message: expect.stringContaining('404') });
  });

  test('is chatted with, and its own counts are told', async () => {
    const { call, model } = await withServer();
    const reports: number[] = [];
    const answer = await call(
      'chat_with_local_model',
      { message: 'Who is there?' },
      { onprogress: ({ progress }) => void reports.push(progress) },
    );
    expect(answer.data).toMatchObject({
      response: 'Hi!',
      model,
      tokens: { prompt: 15, completion: 4, total: 19 },
      timing: { total_ms: expect.any(Number), tokens_per_second: expect.any(Number) },
    });
    expect(reports.at(-1)).toBe(3);
  });

  test('fails where it says nothing, is cut off, or is asked for too much', async () => {
    const { call } = await withServer();
    const empty = await call('chat_with_local_model', { message: 'Say nothing.' });
    expect(empty.error).toMatchObject({
      code: 'MODEL_ERROR',
      message: expect.stringContaining('answered with nothing'),
    });
    const cut = await call('chat_with_local_model', { message: 'Go on', max_tokens: 20 });
    expect(cut.error).toMatchObject({
      code: 'MODEL_ERROR',
      message: expect.stringContaining('cut off after 20 tokens'),
    });
    const long = await call('chat_with_local_model', { message: 'long '.repeat(5_000) });
    expect(long.error).toMatchObject({
      code: 'MODEL_ERROR',
      message: expect.stringMatching(/25\d{3} tokens.*16384/),
      suggestion: expect.stringContaining('Shorten'),
    });
    const unknown = await call('chat_with_local_model', { message: 'x', model: 'nobody' });
    expect(unknown.error.code).toBe('MODEL_NOT_FOUND');
    expect((await call('chat_with_local_model', { message: 'Still there?' })).data).toMatchObject({ response: 'Hi!' });
  });

  test('is measured with token counts of its own, and compared', async () => {
    const { call, model } = await withServer();
    const asked = { model_id: model, num_runs: 1, prompt_lengths: [20, 40] };
    expect((await call('benchmark_model', asked)).data).toMatchObject({
      results: [{ prompt_length: 20 }, { prompt_length: 40 }],
      token_counts: 'service',
      failed_runs: 0,
    });
    const compared = await call('compare_model_responses', { prompt: 'Who is there?', models: [model] });
    expect(compared.data).toMatchObject({ responses: [{ model_id: model, response: 'Hi!' }] });
  });

  test('stops generating as soon as the call is cancelled', async () => {
    const { call, port } = await withServer();
    const controller = new AbortController();
    const asked = call(
      'chat_with_local_model',
      // It would go on until its context is full.
      { message: 'Go on', max_tokens: 100_000 },
      { signal: controller.signal, onprogress: () => controller.abort() },
    ).catch((error: Error) => error);
    const outcome = await asked;
    expect(outcome, JSON.stringify(outcome)).toBeInstanceOf(Error);
    await expect.poll(() => slot(port), { timeout: 30_000 }).toMatchObject({ is_processing: false });
    // It holds what it was asked and what it had said until then.
    const { n_ctx, n_prompt_tokens } = await slot(port);
    expect(n_prompt_tokens).toBeLessThan(n_ctx);
  });

  test('is never chosen for a chat when its model makes embeddings', async () => {
    const { call, model } = await withServer('embedding');
    expect((await call('find_model_by_tag', { tag: 'embedding' })).data).toMatchObject({ models: [{ id: model }] });
    expect((await call('chat_with_local_model', { message: 'Hi?' })).error.code).toBe('MODEL_NOT_FOUND');
    expect((await call('chat_with_local_model', { message: 'Hi?', model })).error.code).toBe('INVALID_PARAMETER');
  });

  test('is loaded, swapped and unloaded behind llama-swap', async () => {
    const home = emptyHome();
    const ports = new Map<string, number>();
    const swap = await llamaSwapService(['tiny-a', 'tiny-b'], {
      async start(name) {
        const server = await startLlamaCpp(join(home, `${name}.gguf`), 'chat');
        ports.set(name, server.port);
        return server;
      },
    });
    onTestFinished(swap.stopAll);
    const { call } = await connect({ home, toolsets: [...TOOLSETS], llamacppPort: swap.port, timeout: 60 });
    const isServing = (name: string) =>
      fetch(`http://127.0.0.1:${ports.get(name)}/health`).then(
        ({ ok }) => ok,
        () => false,
      );
    expect((await call('load_model', { model_id: 'tiny-a' })).data).toMatchObject({ loaded: true });
    expect(await isServing('tiny-a')).toBe(true);
    const asked = { message: 'Who is there?', model: 'tiny-a' };
    expect((await call('chat_with_local_model', asked)).data).toMatchObject({ response: 'Hi!' });
    expect((await call('load_model', { model_id: 'tiny-b' })).error.message).toBe(
      'Loading "tiny-b" would evict: tiny-a',
    );
    expect(await isServing('tiny-a')).toBe(true);
    const swapped = await call('load_model', { model_id: 'tiny-b', allow_eviction: true });
    expect(swapped.data).toMatchObject({ loaded: true, plan: { evicted: [{ model_id: 'tiny-a' }] } });
    expect([await isServing('tiny-a'), await isServing('tiny-b')]).toEqual([false, true]);
    expect((await call('unload_model', { model_id: 'tiny-b' })).data).toMatchObject({ unloaded: true });
    expect(await isServing('tiny-b')).toBe(false);
    expect((await call('list_loaded_models')).data).toMatchObject({ count: 0, services: [{ protocol: 'llama_swap' }] });
  });

  test('is not said to be managed where it runs alone', async () => {
    const { call, model } = await withServer('chat', 'llamacppPort', [...TOOLSETS]);
    for (const tool of ['load_model', 'unload_model', 'plan_model_load', 'delete_model']) {
      expect((await call(tool, { model_id: model })).error, tool).toMatchObject({
        code: 'INVALID_PARAMETER',
        message: expect.stringContaining('does not support the management of models'),
      });
    }
    expect((await call('chat_with_local_model', { message: 'Still there?' })).data).toMatchObject({ response: 'Hi!' });
  });
});

async function withServer(
  kind: 'chat' | 'embedding' = 'chat',
  portName: 'llamacppPort' | 'aiPort' = 'llamacppPort',
  toolsets?: Toolset[],
) {
  const home = emptyHome();
  const model = join(home, kind === 'chat' ? 'tiny.gguf' : 'tiny-embed-text.gguf');
  const server = await startLlamaCpp(model, kind);
  onTestFinished(() => server.stop());
  const { call } = await connect({ home, [portName]: server.port, timeout: 60, ...(toolsets && { toolsets }) });
  return { call, model, port: server.port };
}

/** What llama.cpp itself says of its one conversation. */
async function slot(port: number) {
  const slots = await (await fetch(`http://127.0.0.1:${port}/slots`)).json();
  return (slots as { is_processing: boolean; n_ctx: number; n_prompt_tokens: number }[])[0]!;
}
