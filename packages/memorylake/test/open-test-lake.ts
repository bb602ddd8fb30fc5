import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '@atoll-mcp/server';
import { tokenise } from '@atoll-mcp/storage/search';
import type { LakeEmbedder } from '../src/backends/interface.ts';
import { configDefinition, type MemoryLakeConfig } from '../src/config.ts';

const cleanups: (() => Promise<unknown>)[] = [];

/** Runs when the tests of a file are over, the last first. */
export const afterTests = (cleanup: () => Promise<unknown>): void => void cleanups.push(cleanup);

export async function cleanUp(): Promise<void> {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
}

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'memorylake-test-'));
  afterTests(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export function configFor(dataDir: string, ...flags: string[]): MemoryLakeConfig {
  return loadConfig(configDefinition, { argv: ['--data-dir', dataDir, ...flags] }).config;
}

/** An embedder that lives in memory: a text's vector is the sum of directions its words hash to. */
export function hashEmbedder(): LakeEmbedder & { isDown: boolean; embedded: number } {
  return {
    identity: 'hash-64',
    dimensions: 64,
    model: { name: 'hash', prompts: { query: '', passage: '' } },
    isDown: false,
    embedded: 0,
    async embed(texts) {
      if (this.isDown) throw new Error('the model is not there');
      this.embedded += texts.length;
      return texts.map(vectorOf);
    },
  };
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(64);
  for (const term of tokenise(text)) {
    let hash = 2166136261;
    for (const sign of term) hash = Math.imul(hash ^ sign.codePointAt(0)!, 16777619);
    vector[(hash >>> 8) % 64]! += 1;
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}
