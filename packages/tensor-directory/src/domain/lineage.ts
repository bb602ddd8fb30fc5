/** Where a tensor that was not uploaded comes from: a run of a model, steps of a transformation, or a file. */
export interface Lineage {
  readonly modelUuid?: string;
  readonly modelName?: string;
  /** Which output of the model it is, where there are several. */
  readonly output?: string;
  /** Steps of transform_tensor, as they were given. */
  readonly steps?: readonly object[];
  /** The imported file, and what all tensors of one import have in common. */
  readonly file?: string;
  readonly importId?: string;
  /** Uuids of the input tensors, by the keys that predict or the steps were given. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Slices of the inputs, by the same keys, where not all of a tensor was given. */
  readonly slices?: Readonly<Record<string, string>>;
  readonly durationMs?: number;
}
