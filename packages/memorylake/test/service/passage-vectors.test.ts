import { expect, test } from 'vitest';
import type { LakeEmbedder } from '../../src/backends/interface.ts';
import { passageVectors } from '../../src/service/vectors/passage-vectors.ts';

const TEXT = `${'The lighthouse of the old town opens to visitors in May. '.repeat(3)}${'The pier is closed all winter long, says Acme. '.repeat(3)}`;

/** Notes what it embeds. */
function embedderWith(prompts: LakeEmbedder['model']['prompts']) {
  const seen: string[] = [];
  const embedder: LakeEmbedder = {
    identity: 'noting',
    dimensions: 2,
    model: { name: 'noting', prompts },
    embed: async (texts) => {
      seen.push(...texts);
      return texts.map(() => Float32Array.of(1, 0));
    },
  };
  return { embedder, seen };
}

const passages = [{ text: TEXT, context: 'Harbour', isTable: false }];

test('a passage has a vector for each of its windows', async () => {
  const { embedder, seen } = embedderWith({ query: '', passage: '' });
  const [vectors] = await passageVectors(embedder, passages, new AbortController().signal);
  expect(vectors!.length).toBeGreaterThan(1);
  expect(seen).toHaveLength(vectors!.length + 1);
});

test('a model that learnt to find passages for questions reads them in one piece, behind its prompt', async () => {
  const { embedder, seen } = embedderWith({ query: 'query: ', passage: 'passage: ' });
  const [vectors] = await passageVectors(embedder, passages, new AbortController().signal);
  expect(vectors).toHaveLength(1);
  expect(seen).toEqual([`passage: Harbour\n${TEXT}`]);
});
