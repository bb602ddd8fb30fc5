import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LoadedModel, type LoadRequest, planLoad } from '../../../src/domain/models/load-plan.ts';

const loaded = (id: string, memoryBytes: number | null, more: Partial<LoadedModel> = {}): LoadedModel => ({
  id,
  service: 'ollama',
  port: 1,
  memoryBytes,
  vramBytes: null,
  expiresAt: null,
  ...more,
});
const request = (more: Partial<LoadRequest>): LoadRequest => ({
  service: 'ollama',
  port: 1,
  protocol: 'ollama',
  neededBytes: 10,
  availableBytes: 20,
  loaded: [],
  ...more,
});
const ids = (models: readonly LoadedModel[]) => models.map(({ id }) => id);

describe('a plan', () => {
  test('lets everything stay when there is room', () => {
    const plan = planLoad(request({ loaded: [loaded('a', 5)] }));
    expect(plan).toMatchObject({ fits: true, evicted: [], unloadFirst: [] });
    expect(ids(plan.stays)).toEqual(['a']);
  });

  test('says which of its models Ollama evicts, the one that expires first before the others', () => {
    const models = [
      loaded('forever', 8),
      loaded('late', 8, { expiresAt: '2030-01-02T00:00:00Z' }),
      loaded('soon', 8, { expiresAt: '2030-01-01T00:00:00Z' }),
    ];
    const plan = planLoad(request({ neededBytes: 30, availableBytes: 16, loaded: models }));
    expect(plan.evicted.map(({ model }) => model.id)).toEqual(['soon', 'late']);
    expect(ids(plan.stays)).toEqual(['forever']);
    expect(plan.fits).toBe(true);
  });

  test('has llama-swap stop its other models, and nobody else', () => {
    const models = [loaded('swapped', null, { service: 'llamacpp' }), loaded('other', 5)];
    const plan = planLoad(request({ service: 'llamacpp', protocol: 'llama_swap', loaded: models }));
    expect(plan.evicted.map(({ model }) => model.id)).toEqual(['swapped']);
    expect(ids(plan.stays)).toEqual(['other']);
  });

  test('names the fewest models to unload first where the service evicts nothing', () => {
    const models = [loaded('small', 2), loaded('large', 20), loaded('unknown', null)];
    const plan = planLoad(request({ protocol: 'lm_studio', neededBytes: 30, availableBytes: 12, loaded: models }));
    expect(plan).toMatchObject({ fits: false, evicted: [] });
    expect(ids(plan.unloadFirst)).toEqual(['large']);
    const hopeless = planLoad(request({ protocol: 'lm_studio', neededBytes: 99, availableBytes: 1, loaded: models }));
    expect(hopeless).toMatchObject({ fits: false, unloadFirst: [] });
  });

  test('does not judge what it does not know', () => {
    expect(planLoad(request({ neededBytes: null })).fits).toBeNull();
    const onCard = planLoad(request({ neededBytes: 99, loaded: [loaded('a', 5, { vramBytes: 5 })] }));
    expect(onCard.fits).toBeNull();
  });

  test('puts every loaded model in exactly one place, and never promises more room than there is', () => {
    const model = fc.record({
      memoryBytes: fc.option(fc.integer({ min: 1, max: 50 })),
      service: fc.constantFrom('ollama' as const, 'llamacpp' as const, 'lm_studio' as const),
      expiresAt: fc.option(fc.constantFrom('2030-01-01T00:00:00Z', '2031-01-01T00:00:00Z')),
    });
    fc.assert(
      fc.property(
        fc.array(model, { maxLength: 8 }),
        fc.constantFrom('ollama' as const, 'lm_studio' as const, 'llama_swap' as const),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 0, max: 200 }),
        (models, protocol, neededBytes, availableBytes) => {
          const all = models.map((one, index) => loaded(`m${index}`, one.memoryBytes, one));
          const service = protocol === 'llama_swap' ? 'llamacpp' : protocol;
          const plan = planLoad(request({ service, protocol, neededBytes, availableBytes, loaded: all }));
          const evicted = plan.evicted.map((one) => one.model);
          expect([...ids(plan.stays), ...ids(evicted)].sort()).toEqual(ids(all).sort());
          const freed = evicted.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
          expect(plan.fits).toBe(neededBytes <= availableBytes + freed);
          if (plan.unloadFirst.length > 0) {
            const more = plan.unloadFirst.reduce((sum, { memoryBytes }) => sum + (memoryBytes ?? 0), 0);
            expect(neededBytes).toBeLessThanOrEqual(availableBytes + freed + more);
            for (const one of plan.unloadFirst) expect(plan.stays).toContain(one);
          }
        },
      ),
    );
  });
});
