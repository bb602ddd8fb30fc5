/** A cosine as a share of the way from unrelated texts to equal ones, so that those of different models can be compared. */
export const relatedness = (cosine: number, unrelatedCosine = 0): number =>
  (cosine - unrelatedCosine) / (1 - unrelatedCosine);
