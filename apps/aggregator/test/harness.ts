import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, silentLogger } from '@atoll-mcp/core';
import { loadConfig } from '@atoll-mcp/server';
import { afterEach } from 'vitest';
import { type Aggregator, configDefinition, createAtollServer } from '../src/index.ts';

export const LEGACY = join(import.meta.dirname, 'fixtures/legacy-server.mjs');
export const BAD = join(import.meta.dirname, 'fixtures/bad-server.mjs');

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** Done after the test, last added first. */
export function after(clean: () => unknown): void {
  cleanups.push(clean);
}

export function tempDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atoll-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A block of `mcpServers` for the legacy fixture. */
export function legacyServer(env: Record<string, string> = {}, more: object = {}) {
  return { command: process.execPath, args: [LEGACY], env, ...more };
}

export function badServer(kind: string, more: object = {}) {
  return { command: process.execPath, args: [BAD, kind], ...more };
}

export function configOf(settings: object, dataDir = tempDir()) {
  const parsed = loadConfig(configDefinition, { argv: ['--no-builtin', '--data-dir', dataDir] }).config;
  const checked = configDefinition.schema.parse({ ...parsed, ...settings });
  return { ...checked, dataDir };
}

export function startAggregator(
  settings: object,
  options: { dataDir?: string; env?: NodeJS.ProcessEnv; log?: Logger } = {},
): Aggregator {
  const config = configOf(settings, options.dataDir);
  const app = createAtollServer(config, {
    env: { PATH: process.env.PATH, ...options.env },
    log: options.log ?? silentLogger,
  });
  after(() => app.close());
  return app;
}

export function journalOf(
  file: string,
): { kind: string; pid: number; method?: string; params?: Record<string, unknown>; id?: unknown }[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** Polls until something holds; the only way tests wait here. */
export async function eventually<T>(check: () => T | Promise<T>, timeoutMs = 15_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await check();
    if (value) return value;
    if (Date.now() > deadline) throw new Error('It did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
