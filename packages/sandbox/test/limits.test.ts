import { expect, test } from 'vitest';
import { resolveLimits, resolveWallMs } from '../src/limits.ts';
import { bytes, seconds } from '../src/results.ts';
import { tensorProblem } from '../src/tensor.ts';

const MB = 1024 * 1024;

test('the defaults are those of the handbook', () => {
  expect(resolveLimits('python')).toEqual({
    wallMs: 30_000,
    graceMs: 2_000,
    memoryBytes: 2048 * MB,
    outputBytes: 64 * 1024,
    outputKillBytes: 16 * MB,
    scratchBytes: 256 * MB,
    codeBytes: 256 * 1024,
    resultBytes: 64 * MB,
    rows: 10_000,
    hostCalls: 1_000,
    hostCallsAtOnce: 16,
    jsonBytes: 8 * MB,
    outputFiles: 32,
    outputFileBytes: 32 * MB,
  });
  expect(resolveLimits('python', { purpose: 'prediction' }).memoryBytes).toBe(1024 * MB);
  expect(resolveLimits('javascript').memoryBytes).toBe(128 * MB);
  expect(resolveLimits('sql').memoryBytes).toBe(128 * MB);
});

test('a limit out of range is refused with the range', () => {
  expect(() => resolveLimits('python', { limits: { wallMs: 600_001 } })).toThrow(
    'wallMs must be from 1 to 600000, not 600001',
  );
  expect(() => resolveLimits('sql', { limits: { rows: Number.NaN } })).toThrow('rows must be');
  expect(() => resolveWallMs(resolveLimits('sql'), 0)).toThrow('timeoutMs');
  expect(resolveWallMs(resolveLimits('sql'), undefined)).toBe(30_000);
});

test('amounts are worded for people', () => {
  expect([bytes(0), bytes(1000), bytes(64 * 1024), bytes(1.5 * 1024 * MB)]).toEqual([
    '0 bytes',
    '1000 bytes',
    '64 kB',
    '1.5 GB',
  ]);
  expect([seconds(200), seconds(30_000)]).toEqual(['200 ms', '30 s']);
});

test('a tensor must be what it says', () => {
  const data = new Uint8Array(8);
  expect(tensorProblem({ dtype: 'float64', shape: [], data })).toBeUndefined();
  expect(tensorProblem({ dtype: 'float64', shape: [0, 5], data: new Uint8Array(0) })).toBeUndefined();
  expect(tensorProblem({ dtype: 'object', shape: [], data })).toContain('dtype');
  expect(tensorProblem({ dtype: 'float64', shape: [1.5], data })).toContain('whole numbers');
  expect(tensorProblem({ dtype: 'float64', shape: Array(33).fill(1), data })).toContain('at most 32');
  expect(tensorProblem({ dtype: 'float64', shape: [2 ** 52, 2 ** 52], data })).toContain('needs');
  expect(tensorProblem({ dtype: 'float64', shape: [1], data: 'text' })).toContain('bytes');
});
