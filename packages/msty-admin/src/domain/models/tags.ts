import { factsOf, type ServiceModel, unknownModel } from './model-facts.ts';

export const TAGS = [
  'fast',
  'quality',
  'coding',
  'creative',
  'reasoning',
  'embedding',
  'vision',
  'long_context',
  'large',
  'medium',
  'small',
  'general',
] as const;

export type Tag = (typeof TAGS)[number];

const LONG_CONTEXT_TOKENS = 100_000;

const EMBEDDING = /embed|(?<![a-z])(?:bge|gte|e5|minilm|mxbai|gtr|stella|instructor|rerank(?:er)?|colbert)(?![a-z])/;
const FAST = word('tiny|small|mini|nano|flash|lite|haiku|instant|turbo|phi|granite|lfm2?|smollm2?');
const QUALITY = word('opus|sonnet|pro|ultra|nemotron|large|plus|max|v3|v4|gpt-5|gpt-4o|gpt-4\\.1|fable');
const CODING = /(?<!en|de|uni)cod(?:e|ing|er|ex|estral)|devstral|(?<![a-z])dev(?![a-z])|starcoder|sqlcoder/;
const CREATIVE =
  /creative|writer|writing|story|hermes|nous|mytho|magnum|rocinante|stheno|lumimaid|novel|roleplay|fimbulvetr|(?<![a-z])rp(?![a-z])/;
const REASONING =
  /think|reason|magistral|qwq|qvq|gpt-oss|nemotron|exaone-deep|cogito|(?<![a-z])glm|(?<![a-z])(?:r1|o1|o3|o4|k2-thinking|m1|m2)(?![a-z0-9])/;
const VISION =
  /vision|visual|llava|image|pixtral|qvq|moondream|internvl|paligemma|minicpm-?[vo](?![a-z])|gpt-4o|(?<![a-z])(?:vl|vlm)(?![a-z])|(?<=\d)vl(?![a-z])|gemma-?3-?(?:4|12|27)b|gemma-?3n|llama-?4|claude|gemini/;
const LONG_CONTEXT = /longcat|yarn|longrope|long-context|(?<![a-z])nemo(?!tron)|claude|gemini/;

/** The tags of a model: what its service says of it first, what its name says second. */
export function tagsOf(model: ServiceModel | string): Tag[] {
  const known = typeof model === 'string' ? unknownModel(model) : model;
  const name = known.id.toLowerCase().replaceAll(/[_:/\s]+/g, '-');
  const { parametersB, activeB, contextLength } = factsOf(known);
  const tags = new Set<Tag>();
  if (isEmbedding(known)) tags.add('embedding');
  else {
    const atWork = activeB ?? parametersB;
    if (atWork === null ? FAST.test(name) : atWork <= 4 || (atWork < 10 && FAST.test(name))) tags.add('fast');
    const isMini = parametersB === null ? FAST.test(name) : parametersB < 10;
    if ((parametersB ?? 0) >= 70 || (QUALITY.test(name) && !isMini)) tags.add('quality');
    if (CODING.test(name)) tags.add('coding');
    if (CREATIVE.test(name)) tags.add('creative');
    if (REASONING.test(name) || isThinkingQwen(name)) tags.add('reasoning');
    if (known.canSee ?? VISION.test(name)) tags.add('vision');
  }
  if (contextLength === null ? namesLongContext(name) : contextLength >= LONG_CONTEXT_TOKENS) tags.add('long_context');
  const size = sizeTag(parametersB);
  if (size) tags.add(size);
  if (!(['coding', 'creative', 'reasoning', 'embedding', 'vision'] as const).some((tag) => tags.has(tag))) {
    tags.add('general');
  }
  return TAGS.filter((tag) => tags.has(tag));
}

/** Embedding and reranking models cannot hold a conversation. */
export function isEmbedding(model: ServiceModel): boolean {
  return model.kind === null ? EMBEDDING.test(model.id.toLowerCase()) : model.kind === 'embedding';
}

export function sizeTag(parametersB: number | null): 'small' | 'medium' | 'large' | null {
  if (parametersB === null) return null;
  if (parametersB < 10) return 'small';
  return parametersB < 50 ? 'medium' : 'large';
}

/** Qwen 3 thinks before it answers, unless the name says that this one does not. */
function isThinkingQwen(name: string): boolean {
  return /qwen-?3(?![0-9])/.test(name) && !/instruct|coder/.test(name);
}

function namesLongContext(name: string): boolean {
  if (LONG_CONTEXT.test(name)) return true;
  return [...name.matchAll(/(?<![a-z0-9.])(\d+)(k|m)(?![a-z0-9])/g)].some(([, figure, unit]) =>
    unit === 'k' ? Number(figure) * 1000 >= LONG_CONTEXT_TOKENS : Number(figure) <= 10,
  );
}

/** A pattern that finds whole words only: "mini" is in gpt-4o-mini, not in ministral or gemini. */
function word(words: string): RegExp {
  return new RegExp(`(?<![a-z])(?:${words})(?![a-z])`);
}
