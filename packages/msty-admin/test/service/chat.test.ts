import { describe, expect, test } from 'vitest';
import { connect } from '../fixtures/client.ts';
import { hang, json, modelService, streamed, usage, whole } from '../fixtures/model-service.ts';
import { emptyHome } from '../fixtures/studio.ts';

const connected = async (chat: Parameters<typeof modelService>[0], settings = {}) => {
  const service = await modelService(chat);
  return { service, ...(await connect({ home: emptyHome(), aiPort: service.port, ...settings })) };
};

describe('chat_with_local_model', () => {
  test.each([
    ['in one piece', whole("Here's my answer...")],
    ['as a stream', streamed("Here's my answer...")],
  ])('answers in the shape of the original document, %s', async (_how, chat) => {
    const { call } = await connected({ models: ['nomic-embed-text', 'llama-3.3-70b-instruct'], chat });
    const { data } = await call('chat_with_local_model', { message: 'Hello' });
    expect(data).toEqual({
      response: "Here's my answer...",
      model: 'llama-3.3-70b-instruct',
      tokens: { prompt: 45, completion: 128, total: 173 },
      timing: { total_ms: expect.any(Number), tokens_per_second: expect.any(Number) },
    });
  });

  test('sends what it was given', async () => {
    const { call, service } = await connected({});
    await call('chat_with_local_model', { message: 'Q', system_prompt: 'S', temperature: 0.1, max_tokens: 77 });
    expect(service.bodies[0]).toMatchObject({
      model: 'llama3.2:3b',
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'Q' },
      ],
      temperature: 0.1,
      max_tokens: 77,
    });
  });

  test('has the defaults of the original document', async () => {
    const { call, service } = await connected({});
    await call('chat_with_local_model', { message: 'Q' });
    expect(service.bodies[0]).toMatchObject({ temperature: 0.7, max_tokens: 2048 });
  });

  test('has null where the service counts nothing', async () => {
    const { call } = await connected({ chat: whole('ok', { usage: null }) });
    expect((await call('chat_with_local_model', { message: 'Q' })).data).toMatchObject({
      tokens: { prompt: null, completion: null, total: null },
      timing: { tokens_per_second: null },
    });
  });

  test.each([{ reasoning: 'so I think' }, { reasoning_content: 'so I think' }])(
    'takes thoughts for an answer when there is nothing else: %j',
    async (message) => {
      const { call } = await connected({ chat: whole('', { message }) });
      expect((await call('chat_with_local_model', { message: 'Q' })).data).toMatchObject({ response: 'so I think' });
    },
  );

  test('asks again in one piece when the service cannot stream', async () => {
    const { call, service } = await connected({
      chat: (request, response, body) =>
        body.stream ? json(response, { error: 'no' }, 400) : whole('ok')(request, response, body),
    });
    expect((await call('chat_with_local_model', { message: 'Q' })).data).toMatchObject({ response: 'ok' });
    expect(service.bodies.map(({ stream }) => stream)).toEqual([true, false]);
  });

  test.each([
    ['is empty', whole(''), 'MODEL_ERROR'],
    ['is blank', streamed('   '), 'MODEL_ERROR'],
    ['was cut off', whole('half an ans', { finish: 'length' }), 'MODEL_ERROR'],
    ['was cut off in a stream', streamed('half an ans', { finish: 'length' }), 'MODEL_ERROR'],
    [
      'was cut off and does not say so',
      whole('half', { finish: null, usage: { ...usage, completion_tokens: 2048 } }),
      'MODEL_ERROR',
    ],
    ['breaks off in a stream', streamed('half an ans', { done: false }), 'API_ERROR'],
    ['is HTTP 500', (_: never, response: never) => json(response, { error: 'boom' }, 500), 'API_ERROR'],
    ['is refused', (_: never, response: never) => json(response, { error: 'bad' }, 400), 'API_ERROR'],
    [
      'is for an unknown model',
      (_: never, response: never) => json(response, { error: 'what' }, 404),
      'MODEL_NOT_FOUND',
    ],
    [
      'is an error in disguise',
      (_: never, response: never) => json(response, { error: { message: 'oom' } }),
      'API_ERROR',
    ],
    ['is no completion', (_: never, response: never) => json(response, { hello: 1 }), 'API_ERROR'],
    ['is not JSON', (_: never, response: { end(text: string): void }) => response.end('<html>'), 'API_ERROR'],
    ['never comes', hang, 'TIMEOUT_ERROR'],
  ])('fails when the answer %s', async (_what, chat, code) => {
    const { call } = await connected({ chat: chat as typeof hang }, { timeout: chat === hang ? 1 : 30 });
    const { success, error } = await call('chat_with_local_model', { message: 'Q' });
    expect({ success, code: error.code }).toEqual({ success: false, code });
    expect(error.suggestion).toBeTruthy();
    expect(error.message).not.toMatch(/boom|oom\b|html/);
  });

  test('fails when a promised length does not come', async () => {
    const { call } = await connected({
      chat: (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"choices":[');
        response.socket?.end();
      },
    });
    expect((await call('chat_with_local_model', { message: 'Q' })).error.code).toBe('API_ERROR');
  });

  test.each([
    [{}, 'MISSING_PARAMETER'],
    [{ message: '' }, 'INVALID_PARAMETER'],
    [{ message: 5 }, 'INVALID_PARAMETER'],
    [{ message: 'x', temperature: 1.1 }, 'INVALID_PARAMETER'],
    [{ message: 'x', temperature: -0.1 }, 'INVALID_PARAMETER'],
    [{ message: 'x', max_tokens: 0 }, 'INVALID_PARAMETER'],
    [{ message: 'x', model: 'nobody-has-this' }, 'MODEL_NOT_FOUND'],
    [{ message: 'x', model: 'nomic-embed-text' }, 'INVALID_PARAMETER'],
  ])('answers %j with %s', async (args, code) => {
    const { call } = await connected({ models: ['nomic-embed-text', 'llama3.2:3b'] });
    expect((await call('chat_with_local_model', args)).error.code).toBe(code);
  });

  test('tells how far it is while the text grows', async () => {
    const { call } = await connected({
      chat: (request, response, body) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'first ' } }] })}\n\n`);
        setImmediate(() => setImmediate(() => streamedRest(request, response, body)));
      },
    });
    const streamedRest = (_request: unknown, response: { write(text: string): void; end(): void }, _body: unknown) => {
      response.write(
        `data: ${JSON.stringify({ choices: [{ delta: { content: 'second' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`,
      );
      response.end();
    };
    const reports: number[] = [];
    const { data } = await call(
      'chat_with_local_model',
      { message: 'Q' },
      { onprogress: ({ progress }) => reports.push(progress) },
    );
    expect(data).toMatchObject({ response: 'first second' });
    expect(reports.length).toBeGreaterThan(0);
    expect(reports).toEqual(reports.toSorted((a, b) => a - b));
  });

  test('stops the request when the caller cancels', async () => {
    const { call, service } = await connected({ chat: hang });
    const controller = new AbortController();
    const answer = call('chat_with_local_model', { message: 'Q' }, { signal: controller.signal }).catch(
      (error: Error) => error,
    );
    await expect.poll(() => service.requests, { timeout: 30_000 }).toContain('POST /v1/chat/completions');
    controller.abort();
    await answer;
    await expect.poll(() => service.aborted, { timeout: 30_000 }).toContain('POST /v1/chat/completions');
  });
});

describe('measurements', () => {
  test('count calls and failures of each model, unless told not to', async () => {
    const { call } = await connected({
      chat: (request, response, body) =>
        JSON.stringify(body.messages).includes('fail') ? json(response, {}, 500) : whole('ok')(request, response, body),
    });
    await call('chat_with_local_model', { message: 'one' });
    await call('chat_with_local_model', { message: 'fail' });
    await call('chat_with_local_model', { message: 'two', track_metrics: false });
    expect((await call('get_model_performance_metrics')).data).toMatchObject({
      days: 30,
      total_calls: 2,
      models: [{ model_id: 'llama3.2:3b', calls: 2, successes: 1, failures: 1, total_tokens: 173 }],
    });
    expect((await call('get_model_performance_metrics', { model_id: 'other' })).data).toMatchObject({ total_calls: 0 });
  });
});

describe('benchmark_model', () => {
  test('returns the shape of the original document', async () => {
    const { call, service } = await connected({
      models: ['llama-3.3-70b-instruct'],
      chat: whole('some words', { finish: 'length' }),
    });
    const reports: number[] = [];
    const { data } = await call(
      'benchmark_model',
      { model_id: 'llama-3.3-70b-instruct', num_runs: 2 },
      { onprogress: ({ progress }) => reports.push(progress) },
    );
    expect(data).toMatchObject({
      model_id: 'llama-3.3-70b-instruct',
      results: [50, 200, 500].map((prompt_length) => ({
        prompt_length,
        avg_tokens_per_sec: expect.any(Number),
        avg_latency_ms: expect.any(Number),
      })),
      overall_avg_tokens_per_sec: expect.any(Number),
      token_counts: 'service',
    });
    expect(service.bodies).toHaveLength(6);
    expect(reports.length).toBeGreaterThan(1);
  });

  test('marks counts of its own as estimated', async () => {
    const { call } = await connected({ chat: whole('some words', { usage: null }) });
    expect(
      (await call('benchmark_model', { model_id: 'llama3.2:3b', num_runs: 1, prompt_lengths: [10] })).data,
    ).toMatchObject({
      token_counts: 'estimated',
    });
  });

  test('fails when every run fails, and is stopped by the caller', async () => {
    const failing = await connected({ chat: (_request, response) => json(response, {}, 500) });
    expect((await failing.call('benchmark_model', { model_id: 'llama3.2:3b' })).error.code).toBe('API_ERROR');
    const hanging = await connected({ chat: hang });
    const controller = new AbortController();
    const answer = hanging
      .call('benchmark_model', { model_id: 'llama3.2:3b' }, { signal: controller.signal })
      .catch((error: Error) => error);
    await expect.poll(() => hanging.service.bodies.length, { timeout: 30_000 }).toBe(1);
    controller.abort();
    await answer;
    await expect.poll(() => hanging.service.aborted, { timeout: 30_000 }).toHaveLength(1);
    expect(hanging.service.bodies).toHaveLength(1);
  });

  test.each([
    [{}, 'MISSING_PARAMETER'],
    [{ model_id: 'nomic-embed-text' }, 'INVALID_PARAMETER'],
    [{ model_id: 'x' }, 'MODEL_NOT_FOUND'],
    [{ model_id: 'llama3.2:3b', num_runs: 0 }, 'INVALID_PARAMETER'],
    [{ model_id: 'llama3.2:3b', prompt_lengths: [] }, 'INVALID_PARAMETER'],
    [{ model_id: 'llama3.2:3b', prompt_lengths: ['a'] }, 'INVALID_PARAMETER'],
  ])('answers %j with %s', async (args, code) => {
    const { call } = await connected({ models: ['nomic-embed-text', 'llama3.2:3b'] });
    expect((await call('benchmark_model', args)).error.code).toBe(code);
  });
});

describe('compare_model_responses', () => {
  const byModel =
    (answers: Record<string, Parameters<typeof whole>[0] | null>): typeof hang =>
    (request, response, body) => {
      const text = answers[String(body.model)];
      return text == null ? json(response, {}, 500) : whole(text)(request, response, body);
    };

  test('names a winner and keeps the failures apart', async () => {
    const { call } = await connected({
      models: ['good:8b', 'bad:8b', 'nomic-embed-text'],
      chat: byModel({
        'good:8b': 'A long enough answer about bread.\nIt has two lines and says something.',
        'bad:8b': null,
      }),
    });
    const { data } = await call('compare_model_responses', {
      prompt: 'Tell me about bread',
      evaluation_criteria: 'quality',
    });
    expect(data).toMatchObject({
      winner: 'good:8b',
      responses: [
        { model_id: 'good:8b', success: true, quality_score: expect.any(Number) },
        { model_id: 'bad:8b', success: false, error: { code: 'API_ERROR' } },
      ],
    });
  });

  test('tells which model it is at, and is stopped by the caller before the next', async () => {
    const { call, service } = await connected({ models: ['a:8b', 'b:8b'], chat: hang });
    const controller = new AbortController();
    const reports: object[] = [];
    const answer = call(
      'compare_model_responses',
      { prompt: 'x' },
      { signal: controller.signal, onprogress: (report) => reports.push(report) },
    ).catch((error: Error) => error);
    await expect.poll(() => service.bodies.length, { timeout: 30_000 }).toBe(1);
    controller.abort();
    await answer;
    await expect.poll(() => service.aborted, { timeout: 30_000 }).toHaveLength(1);
    expect(service.bodies).toHaveLength(1);
    expect(reports).toEqual([expect.objectContaining({ progress: 0, total: 2, message: 'a:8b' })]);
  });

  test('fails when all models fail, or one of those named is not there', async () => {
    const { call } = await connected({ models: ['a:8b', 'b:8b'], chat: byModel({}) });
    expect((await call('compare_model_responses', { prompt: 'x' })).error.code).toBe('MODEL_ERROR');
    expect((await call('compare_model_responses', { prompt: 'x', models: ['a:8b', 'zzz'] })).error.code).toBe(
      'MODEL_NOT_FOUND',
    );
  });
});

describe('calibration', () => {
  const good =
    'First, think of light. Then it scatters, because blue is short. Therefore the sky looks blue, so we see it.\nThat is all.';

  test('scores, remembers and learns what to hand off', async () => {
    const { call } = await connected({ chat: whole(good) });
    const { data } = await call('run_calibration_test', { category: 'reasoning' });
    expect(data).toMatchObject({
      model_id: 'llama3.2:3b',
      tests: [{ quality_score: expect.any(Number), passed: true }, { passed: true }],
      summary: { total: 2, passed: 2, failed: 0, average_score: expect.any(Number) },
    });
    for (let run = 0; run < 2; run++) await call('run_calibration_test', { category: 'coding', passing_threshold: 1 });
    expect((await call('get_calibration_history', { category: 'coding' })).data).toMatchObject({
      count: 4,
      history: [{ passed: false }, {}, {}, {}],
    });
    expect((await call('identify_handoff_triggers')).data).toMatchObject({
      triggers: [{ type: 'coding', source: 'calibration', failures: 4, models: ['llama3.2:3b'] }],
    });
    expect(
      (
        await call('identify_handoff_triggers', {
          analyse_recent: false,
          add_pattern: 'legal advice',
          pattern_type: 'topic',
        })
      ).data,
    ).toMatchObject({
      triggers: [{ pattern: 'legal advice', type: 'topic', source: 'added' }],
      added: true,
    });
  });

  test('takes a prompt of your own', async () => {
    const { call, service } = await connected({ chat: whole(good) });
    const { data } = await call<{ tests: unknown[] }>('run_calibration_test', {
      custom_prompt: 'Why is the sky blue?',
    });
    expect(data.tests).toHaveLength(1);
    expect(JSON.stringify(service.bodies[0])).toContain('Why is the sky blue?');
  });

  test('fails when the model fails', async () => {
    const { call } = await connected({ chat: whole('') });
    expect((await call('run_calibration_test')).error.code).toBe('MODEL_ERROR');
  });

  test('says with every score that it judges form only', async () => {
    const { call } = await connected({ chat: whole(good) });
    const formOnly = { score_basis: expect.stringMatching(/form.*not whether.*true/) };
    expect((await call('evaluate_response_quality', { prompt: 'x', response: good })).data).toMatchObject(formOnly);
    expect((await call('run_calibration_test')).data).toMatchObject(formOnly);
    expect((await call('get_calibration_history')).data).toMatchObject(formOnly);
    expect((await call('identify_handoff_triggers')).data).toMatchObject(formOnly);
    expect((await call('compare_model_responses', { prompt: 'x' })).data).toMatchObject(formOnly);
  });

  test('evaluates without any model', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('evaluate_response_quality', { prompt: 'x', response: 'no' })).data).toMatchObject({
      quality_score: 0,
      passed: false,
    });
    expect(
      (await call('evaluate_response_quality', { prompt: 'the sky', response: good, category: 'reasoning' })).data,
    ).toMatchObject({ passed: true });
  });
});
