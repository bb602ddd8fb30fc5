import { fileURLToPath } from 'node:url';
import { contractSuite, layerSuite } from '@atoll-mcp/testing';
import { describe, expect, test } from 'vitest';
import { contract, TOOL_CONTRACTS } from '../src/index.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

contractSuite(contract, { packageDir });
layerSuite(packageDir);

describe('TOOL_CONTRACTS', () => {
  test('publishes input, output and error schemas of every tool, under the titles of the original', () => {
    expect(Object.keys(TOOL_CONTRACTS)).toEqual(contract.tools.map(({ name }) => name));
    const titles = Object.entries(TOOL_CONTRACTS).map(([name, { input }]) => [name, input.title]);
    expect(Object.fromEntries(titles)).toMatchObject({
      'embedding.generate': 'EmbeddingToolInput',
      'embedding.batch': 'BatchEmbeddingToolInput',
      'model.info': 'ModelInfoRequest',
      'health.status': 'HealthStatusRequest',
    });
    for (const { output, error } of Object.values(TOOL_CONTRACTS)) {
      expect(output).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(error).toMatchObject({ required: ['code', 'message'], properties: { details: expect.any(Object) } });
    }
  });

  test('has an example and a meaning for every error code', () => {
    for (const { example, errors } of Object.values(TOOL_CONTRACTS)) {
      expect(example).toBeTypeOf('object');
      expect(Object.keys(errors)).not.toHaveLength(0);
      for (const meaning of Object.values(errors)) expect(meaning).toMatch(/\w+ \w+/);
    }
    expect(Object.keys(TOOL_CONTRACTS['embedding.generate']!.errors)).toEqual(
      expect.arrayContaining(['VALIDATION_ERROR', 'SECURITY_VIOLATION', 'RATE_LIMITED', 'INTERNAL_ERROR']),
    );
  });
});
