import { fileURLToPath } from 'node:url';
import { contractSuite, layerSuite } from '@atoll-mcp/core/testing';
import { describe, expect, test } from 'vitest';
import { contract, contractWith, TOOLSETS } from '../src/index.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));

contractSuite(contract, { packageDir });
layerSuite(packageDir);

describe('toolsets', () => {
  test('offer every tool in exactly one group', () => {
    const grouped = TOOLSETS.flatMap((toolset) => contractWith([toolset]).tools.map(({ name }) => name));
    expect(grouped).toEqual(contract.tools.map(({ name }) => name));
    expect(new Set(grouped).size).toBe(grouped.length);
  });

  test('keep the order of the contract, whatever order they are asked for in', () => {
    const names = contractWith(['inventory', 'install']).tools.map(({ name }) => name);
    expect(names[0]).toBe('detect_msty_installation');
    expect(names.at(-1)).toBe('get_studio_entity');
  });
});
