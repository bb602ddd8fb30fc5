/** What a model's name says of itself. Nothing is guessed: what the name leaves out is null. */
interface ModelName {
  /** All parameters, in billions; for mixtures the nominal product ("8x7b" is 56). */
  readonly parametersB: number | null;
  /** Parameters at work for one token, where the name tells ("235b-a22b"). */
  readonly activeB: number | null;
  readonly quantisation: Quantisation | null;
}

export interface Quantisation {
  readonly label: string;
  readonly bits: number;
}

export function parseModelName(id: string): ModelName {
  const name = id.toLowerCase();
  const parametersB = parametersIn(name);
  const active = /(?:^|[^a-z0-9])a(\d+(?:\.\d+)?)(b|m)(?![a-z0-9])/.exec(name);
  return {
    parametersB,
    activeB: active?.[1] ? Number(active[1]) / (active[2] === 'm' ? 1000 : 1) : null,
    quantisation: quantisationIn(name),
  };
}

/** The largest "Nb" in the name, as a number: 12b is 12, never the "2b" inside it. */
function parametersIn(name: string): number | null {
  const billions = [
    ...[...name.matchAll(/(?<![\d.])(\d+)x(\d+(?:\.\d+)?)b(?![a-z0-9])/g)].map(
      ([, n, each]) => Number(n) * Number(each),
    ),
    ...[...name.matchAll(/(?<![\d.x])(\d+(?:\.\d+)?)b(?![a-z0-9])/g)].map(([, n]) => Number(n)),
  ].filter((value) => value > 0 && value < 10_000);
  if (billions.length > 0) return Math.max(...billions);
  const trillions = /(?<![\d.a-z])(\d+(?:\.\d+)?)t(?![a-z0-9])/.exec(name);
  if (trillions) return Number(trillions[1]) * 1000;
  // "1m" is a context length; no model is that small, and none of 10 million or more is a context in that spelling.
  const millions = [...name.matchAll(/(?<![\d.a-z])(\d{2,4})m(?![a-z0-9])/g)].map(([, n]) => Number(n) / 1000);
  return millions.length > 0 ? Math.max(...millions) : null;
}

const QUANTISATIONS: readonly (readonly [RegExp, number])[] = [
  [/\bi?q([1-8])(?:_(?:k|\d|xxs|xs|s|m|l|nl|xl))*(?![a-z0-9])/, 0],
  [/\b(?:fp|f)32\b/, 32],
  [/\b(?:bf16|fp16|f16)\b/, 16],
  [/\b(?:fp8|int8|w8a8|w8a16|f8)\b/, 8],
  [/\b(?:mxfp4|nvfp4|nf4|fp4|int4|w4a16)\b/, 4],
  [/\b([2-8])-?bits?\b/, 0],
  [/\bint([2-8])\b/, 0],
  [/\b(?:awq|gptq)\b/, 4],
];

/** `bits` 0 means that the figure stands in the match itself. */
function quantisationIn(name: string): Quantisation | null {
  // An underscore belongs to a word for \b, and q4_k_m needs it, so only other separators are made plain.
  const text = name.replaceAll(/[-:/.\s@]+/g, ' ').replace(/ (\d) bit\b/, ' $1bit');
  for (const [pattern, bits] of QUANTISATIONS) {
    const match = pattern.exec(text) ?? pattern.exec(text.replaceAll('_', ' '));
    if (match) return { label: match[0].replaceAll(' ', '_'), bits: bits || Number(match[1]) };
  }
  return null;
}
