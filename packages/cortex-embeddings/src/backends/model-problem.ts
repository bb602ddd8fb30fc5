/** A model that cannot be loaded, with a reason and a remedy that may be shown to anyone. */
export class ModelProblem extends Error {
  override readonly name = 'ModelProblem';
  readonly remedy: string;

  constructor(reason: string, remedy: string, cause?: unknown) {
    super(reason, { cause });
    this.remedy = remedy;
  }
}
