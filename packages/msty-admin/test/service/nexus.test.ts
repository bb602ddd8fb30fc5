import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../fixtures/client.ts';
import { modelService } from '../fixtures/model-service.ts';
import { emptyHome } from '../fixtures/studio.ts';

describe('Nexus', () => {
  test('is detected by its folder and by its answers', async () => {
    const home = emptyHome();
    mkdirSync(join(home, '.config', 'MstyNexus'), { recursive: true });
    const gateway = await modelService({ models: ['gpt-5', 'llama3.2:3b'] });
    const { call } = await connect({ home, nexusPort: gateway.port });
    expect((await call('detect_nexus')).data).toEqual({
      installed: true,
      paths: { app: null, data: '$HOME/.config/MstyNexus' },
      port: gateway.port,
      available: true,
      model_count: 2,
      problem: null,
    });
    expect((await call('list_nexus_models')).data).toMatchObject({
      port: gateway.port,
      total: 2,
      models: [{ id: 'gpt-5' }, { id: 'llama3.2:3b', tags: ['fast', 'small', 'general'] }],
    });
  });

  test('is not there when nothing answers', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('detect_nexus')).data).toMatchObject({
      installed: false,
      available: false,
      problem: expect.stringContaining('nexus is not running'),
    });
    for (const tool of ['list_nexus_models', 'query_nexus']) {
      expect((await call(tool)).error.code).toBe('SERVICE_UNAVAILABLE');
    }
  });

  test('answers one request, without secrets', async () => {
    const gateway = await modelService({ routes: { 'POST /v1/embeddings': { apiKey: 'abc', data: [] } } });
    const { call } = await connect({ home: emptyHome(), nexusPort: gateway.port });
    const asked = { path: '/v1/embeddings', method: 'POST', data: { input: 'x' } };
    expect((await call('query_nexus', asked)).data).toEqual({
      path: '/v1/embeddings',
      method: 'POST',
      port: gateway.port,
      status: 200,
      response: { apiKey: '[redacted]', data: [] },
    });
    expect(gateway.bodies).toEqual([{ input: 'x' }]);
  });

  test.each([
    [{ path: 'http://example.com/' }, 'INVALID_PARAMETER'],
    [{ path: '/api/delete', method: 'POST' }, 'INVALID_PARAMETER'],
    [{ path: '/api/v1/models/unload', method: 'POST' }, 'INVALID_PARAMETER'],
    [{ path: '/models/load', method: 'POST' }, 'INVALID_PARAMETER'],
    [{ path: '/unload' }, 'INVALID_PARAMETER'],
    [{ method: 'POST', data: '{oops' }, 'VALIDATION_ERROR'],
    [{ path: '/nowhere' }, 'API_ERROR'],
  ])('refuses %j with %s', async (args, code) => {
    const gateway = await modelService();
    const { call } = await connect({ home: emptyHome(), nexusPort: gateway.port });
    expect((await call('query_nexus', args)).error.code).toBe(code);
  });
});
