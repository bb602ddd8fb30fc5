import { parseModelName, type Quantisation } from './model-name.ts';

/** A model as its service describes it. Null is what the service did not say. */
export interface ServiceModel {
  readonly id: string;
  readonly sizeBytes: number | null;
  readonly parametersB: number | null;
  readonly quantisation: string | null;
  readonly contextLength: number | null;
  readonly loaded: boolean | null;
  /** What it is for, in the service's own terms. */
  readonly kind: 'chat' | 'embedding' | null;
  readonly canSee: boolean | null;
}

export interface ModelFacts {
  readonly parametersB: number | null;
  readonly activeB: number | null;
  readonly quantisation: Quantisation | null;
  readonly contextLength: number | null;
}

export const unknownModel = (id: string): ServiceModel => ({
  id,
  sizeBytes: null,
  parametersB: null,
  quantisation: null,
  contextLength: null,
  loaded: null,
  kind: null,
  canSee: null,
});

/** What is known of a model: what its service reports first, then what its name tells. */
export function factsOf(model: ServiceModel): ModelFacts {
  const named = parseModelName(model.id);
  return {
    parametersB: model.parametersB ?? named.parametersB,
    activeB: named.activeB,
    quantisation: (model.quantisation ? parseModelName(model.quantisation).quantisation : null) ?? named.quantisation,
    contextLength: model.contextLength,
  };
}
