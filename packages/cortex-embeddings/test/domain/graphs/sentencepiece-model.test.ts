import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSentencePiece } from '../../../src/backends/onnx/encoder-tokens.ts';
import { buildSentencePiece, normaliseForXlmr } from '../../../src/domain/graphs/sentencepiece-model.ts';

const pieces = ['<s>', '<pad>', '</s>', '<unk>', '▁', '▁cat', '▁ca', 't', 's', '▁dog', 'é'];

test('a built model cuts a text into its best pieces, with unknown characters as one and marks around', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cortex-pieces-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'sp.model');
  const scored = pieces.map((piece, id) => ({ text: Buffer.from(piece), score: id < 4 ? 0 : -id / 10 }));
  await writeFile(path, buildSentencePiece(scored, 3));
  const encode = await openSentencePiece({ startToken: 0, endToken: 2, normalise: normaliseForXlmr })(path, 6);
  expect(encode('cats  dog').ids).toEqual([0, 5, 8, 9, 2]);
  expect(encode('cat xyz').ids).toEqual([0, 5, 4, 3, 2]);
  expect(encode('<s> cat').ids).not.toContain(1);
  expect(encode('dog dog dog dog dog')).toMatchObject({ ids: [0, 9, 9, 9, 9, 2], tokens: 7, truncated: true });
});

test.each([
  ['ＡＢＣ ﬁ ½', 'ABC fi 1⁄2'],
  ['e\u0301', 'é'],
  ['a～b〜c', 'a～b〜c'],
  ['a\tb\r\nc\u200bd\u2028e\ufefff', 'a b  c d e f'],
  ['x\u0000y\u0007z\u007f', 'x\u0000yz'],
  ['a\u00a0b\u3000c', 'a b c'],
])('%j is normalised to %j', (given, wanted) => {
  expect(normaliseForXlmr(given)).toBe(wanted);
});
