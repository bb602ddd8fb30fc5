import { describe, expect, test } from 'vitest';
import { unknownModel } from '../../../src/domain/models/model-facts.ts';
import { parseModelName } from '../../../src/domain/models/model-name.ts';
import { sizeTag, TAGS, tagsOf } from '../../../src/domain/models/tags.ts';
import { MODEL_IDS } from '../../fixtures/model-ids.ts';

describe('names of real models', () => {
  test('the table has enough of them, each once', () => {
    expect(MODEL_IDS.length).toBeGreaterThanOrEqual(120);
    expect(new Set(MODEL_IDS.map(([id]) => id)).size).toBe(MODEL_IDS.length);
  });

  test.each(MODEL_IDS)('%s is read as the number it is, and tagged', (id, parametersB, activeB, bits, tags) => {
    const name = parseModelName(id);
    expect({ parametersB: name.parametersB, activeB: name.activeB }).toEqual({ parametersB, activeB });
    expect(name.quantisation?.bits ?? null).toBe(bits);
    expect(tagsOf(id).join(' ')).toBe(tags);
  });
});

describe('tags', () => {
  test('are the twelve of the original document', () => {
    expect(TAGS).toHaveLength(12);
  });

  test.each([
    ['9.99b', 'small'],
    ['10b', 'medium'],
    ['49.9b', 'medium'],
    ['50b', 'large'],
  ])('a model of %s is %s', (size, tag) => {
    expect(tagsOf(`some-model-${size}`)).toContain(tag);
  });

  test('a size that nobody names gets no size tag', () => {
    expect(sizeTag(null)).toBeNull();
    expect(tagsOf('mystery')).toEqual(['general']);
  });

  test('nemo is not nemotron, mini is not ministral, and an encoder writes no code', () => {
    expect(tagsOf('mistral-nemo')).toContain('long_context');
    expect(tagsOf('nemotron-70b')).not.toContain('long_context');
    expect(tagsOf('ministral-8b')).not.toContain('fast');
    expect(tagsOf('some-encoder')).not.toContain('coding');
  });

  test('what the service says counts for more than the name', () => {
    const model = { ...unknownModel('plain-name-7b'), parametersB: 70, contextLength: 200_000, canSee: true };
    expect(tagsOf(model)).toEqual(['quality', 'vision', 'long_context', 'large']);
    expect(tagsOf({ ...unknownModel('yi-34b-200k'), contextLength: 4096 })).not.toContain('long_context');
    expect(tagsOf({ ...unknownModel('plain'), kind: 'embedding' })).toEqual(['embedding']);
    expect(tagsOf({ ...unknownModel('llava:7b'), canSee: false })).not.toContain('vision');
  });
});

describe('quantisation', () => {
  test.each([
    ['model-Q4_K_M.gguf', 'q4_k_m', 4],
    ['model-IQ2_XXS', 'iq2_xxs', 2],
    ['model-Q8_0', 'q8_0', 8],
    ['model-fp16', 'fp16', 16],
    ['model-bf16', 'bf16', 16],
    ['model-4bit', '4bit', 4],
    ['model-6-bit', '6bit', 6],
    ['model-mxfp4', 'mxfp4', 4],
    ['model-GPTQ', 'gptq', 4],
    ['model-int8', 'int8', 8],
  ])('%s is %s', (id, label, bits) => {
    expect(parseModelName(id).quantisation).toEqual({ label, bits });
  });
});
