import { silentLogger } from '@atoll-mcp/core';
import { StorageError } from '@atoll-mcp/core/storage';
import { createServer, loadConfig } from '@atoll-mcp/server';
import { connectInMemory } from '@atoll-mcp/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chooseBackends } from '../src/backends/choose.ts';
import { configDefinition } from '../src/config.ts';
import { contract } from '../src/contract.ts';
import { TensorDirectoryService } from '../src/service.ts';
import { temporaryFolder } from './directory.ts';

/** A server whose stores fail with this error when they are to keep values or list items. */
async function openFailing(failure: Error) {
  const settings = { ...loadConfig(configDefinition).config, dataDir: temporaryFolder(), storage: 'memory:' };
  const backends = chooseBackends(settings, silentLogger);
  const fail = () => Promise.reject(failure);
  const service = new TensorDirectoryService(
    {
      ...backends,
      values: Object.assign(Object.create(backends.values), { put: fail }),
      tensors: Object.assign(Object.create(backends.tensors), { list: fail }),
      models: Object.assign(Object.create(backends.models), { list: fail }),
    },
    settings,
  );
  const client = await connectInMemory(createServer(contract, { service, log: silentLogger }));
  onTestFinished(async () => {
    await client.close();
    await service.close();
  });
  return async (tool: string, args: Record<string, unknown>) => {
    const { structuredContent, isError } = await client.callTool({ name: tool, arguments: args });
    expect(isError).toBe(true);
    return structuredContent;
  };
}

describe('uploads that the store does not take', () => {
  test.each([
    ['a failure of the store in its own words', new StorageError('full', 'No room left.'), 'No room left.'],
    ['any other without its message', new Error('secret of the engine'), "The server's log has the details."],
  ])('tell %s', async (_, failure, details) => {
    const call = await openFailing(failure);
    expect(await call('upload_tensor', { name: 'my_features', description: '', tensor_data: [1] })).toEqual({
      error: `An unexpected error occurred while uploading tensor 'my_features': ${details}`,
    });
    expect(await call('upload_model', { name: 'enhancer', description: '', model_weights: [1] })).toEqual({
      error: `An unexpected error occurred while uploading model 'enhancer': ${details}`,
    });
  });
});

test.each(['tensors', 'models'])(
  'a list of %s that fails is an empty page at the place that was asked for',
  async (rows) => {
    const call = await openFailing(new Error('secret of the engine'));
    expect(await call(`list_${rows}`, { offset: 5, limit: 50 })).toEqual({
      [rows]: [],
      total_items_in_collection: 0,
      offset: 5,
      limit: 50,
      message: `An unexpected error occurred while running list_${rows}: The server's log has the details.`,
    });
  },
);
