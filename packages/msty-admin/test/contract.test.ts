import { fileURLToPath } from 'node:url';
import { contractSuite, layerSuite } from '@atoll-mcp/testing';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES } from '../src/errors.ts';
import { contract, contractWith, TOOLSETS } from '../src/index.ts';
import { connect } from './fixtures/client.ts';
import { emptyHome } from './fixtures/studio.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

contractSuite(contract, { packageDir });
layerSuite(packageDir);

describe('nonsense', () => {
  const nonsense: readonly unknown[] = [null, 5, -1, 1e308, true, '', 'nonsense', [], {}, [{}], { a: [1] }];
  const codes: readonly string[] = ERROR_CODES;

  test.each(contract.tools.map(({ name, input }) => [name, Object.keys(input.shape)] as const))(
    '%s answers it in the envelope, with a code of the original document and a suggestion',
    { timeout: 60_000 },
    async (name, parameters) => {
      const { call } = await connect({ home: emptyHome(), toolsets: [...TOOLSETS] });
      for (const parameter of parameters) {
        for (const value of nonsense) {
          const answer = await call(name, { [parameter]: value });
          if (!answer.success) expect(codes).toContain(answer.error.code);
          if (!answer.success) expect(answer.error.suggestion).toBeTruthy();
        }
      }
      expect((await call(name, { unknown_parameter: 1 })).timestamp).toBeTruthy();
    },
  );
});

describe('toolsets', () => {
  test('offer every tool in exactly one group', () => {
    const grouped = TOOLSETS.flatMap((toolset) => contractWith([toolset]).tools.map(({ name }) => name));
    expect(grouped).toEqual(contract.tools.map(({ name }) => name));
    expect(new Set(grouped).size).toBe(grouped.length);
  });

  test('keep the order of the contract, whatever order they are asked for in', () => {
    const names = contractWith(['inventory', 'install']).tools.map(({ name }) => name);
    expect(names[0]).toBe('detect_msty_installation');
    expect(names.at(-1)).toBe('query_nexus');
  });
});
