import { shortened } from './gigabytes.ts';
import { factsOf, type ServiceModel } from './model-facts.ts';

interface Requirements {
  readonly parametersB: number | null;
  readonly quantisation: string | null;
  /** Where the memory figure comes from; null when nothing tells the size. */
  readonly basis: 'service' | 'name' | null;
  readonly modelMemoryGb: number | null;
  readonly recommendedVramGb: number | null;
  readonly recommendedRamGb: number | null;
}

const GB = 1024 ** 3;

/** Models are usually shared at four bits when their name does not say. */
const ASSUMED_BITS = 4;
/** Room for the context and the buffers of a run. */
const VRAM_FACTOR = 1.25;
/** Without a graphics card the rest of the system needs its share. */
const RAM_FACTOR = 1.5;

export function requirementsOf(model: ServiceModel): Requirements {
  const { parametersB, quantisation } = factsOf(model);
  const bits = quantisation?.bits ?? ASSUMED_BITS;
  const fromName = parametersB === null ? null : (parametersB * bits) / 8;
  const memory = model.sizeBytes ? model.sizeBytes / GB : fromName || null;
  return {
    parametersB,
    quantisation: quantisation?.label ?? null,
    basis: model.sizeBytes ? 'service' : memory === null ? null : 'name',
    modelMemoryGb: shortened(memory),
    recommendedVramGb: memory === null ? null : shortened(memory * VRAM_FACTOR),
    recommendedRamGb: memory === null ? null : shortened(memory * VRAM_FACTOR * RAM_FACTOR),
  };
}
