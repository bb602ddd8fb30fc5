import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { connect } from '../fixtures/client.ts';
import { closedPorts } from '../fixtures/model-service.ts';
import { emptyHome } from '../fixtures/studio.ts';

/**
 * The server behind Msty's MLX service, with a tiny random model: what our own fixtures might get wrong. To run it:
 * `pip install 'mlx[cpu]' mlx-lm`, then MSTY_TEST_MLX_PYTHON=/path/to/python.
 */
const python = process.env.MSTY_TEST_MLX_PYTHON;

describe('a real mlx_lm.server', requires(python, 'mlx'), () => {
  test('is listed, chatted with, measured and cancelled', { timeout: 300_000 }, async () => {
    const home = emptyHome();
    const model = join(home, 'tiny-llama-1b-random');
    const script = fileURLToPath(new URL('../fixtures/tiny_mlx_model.py', import.meta.url));
    expect(spawnSync(python ?? '', [script, model]).status).toBe(0);
    mkdirSync(join(home, '.cache', 'huggingface', 'hub'), { recursive: true });
    const [mlxPort] = await closedPorts();
    const server = spawn(python ?? '', ['-m', 'mlx_lm', 'server', '--model', model, '--port', String(mlxPort)], {
      env: { ...process.env, HOME: home, HF_HUB_OFFLINE: '1' },
      stdio: 'ignore',
    });
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await once(server, 'exit');
    });

    const { call } = await connect({ home, mlxPort, timeout: 120 });
    const state = async () =>
      (await call<{ by_service: { mlx: { available: boolean } } }>('get_sidecar_status')).data.by_service.mlx;
    await expect.poll(state, { timeout: 120_000, interval: 1000 }).toMatchObject({ available: true, port: mlxPort });
    expect((await call('list_available_models')).data).toMatchObject({
      models: [{ id: model, _service: 'mlx', parameters_b: 1 }],
    });

    // Random weights never end by themselves, so a chat is cut off, and says so.
    const cut = await call('chat_with_local_model', { message: 'hi', max_tokens: 20 });
    expect(cut.error).toMatchObject({ code: 'MODEL_ERROR', message: expect.stringContaining('cut off') });
    expect(
      (await call('benchmark_model', { model_id: model, num_runs: 1, prompt_lengths: [20, 40] })).data,
    ).toMatchObject({
      results: [{ prompt_length: 20 }, { prompt_length: 40 }],
      token_counts: 'service',
      failed_runs: 0,
    });
    const controller = new AbortController();
    const reports: number[] = [];
    const long = call(
      'chat_with_local_model',
      { message: 'hi', max_tokens: 100_000 },
      {
        signal: controller.signal,
        onprogress: ({ progress }) => {
          reports.push(progress);
          controller.abort();
        },
      },
    ).catch((error: Error) => error);
    expect(await long).toBeInstanceOf(Error);
    expect(reports.length).toBeGreaterThan(0);
    expect((await call('chat_with_local_model', { message: 'x', model: 'nobody' })).error.code).toBe('MODEL_NOT_FOUND');
    expect((await call('get_sidecar_status')).success).toBe(true);
  });
});
