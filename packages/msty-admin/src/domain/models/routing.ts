import type { Tag } from './tags.ts';

export const USE_CASES = ['general', 'coding', 'writing', 'analysis', 'fast'] as const;

export type UseCase = (typeof USE_CASES)[number];

export interface Candidate {
  readonly id: string;
  readonly tags: readonly Tag[];
  readonly parametersB: number | null;
  readonly loaded: boolean | null;
}

export interface Ranked<Model extends Candidate> {
  readonly model: Model;
  readonly score: number;
  readonly matched: readonly Tag[];
}

type TaskCategory = 'coding' | 'reasoning' | 'creative' | 'vision' | 'long_context' | 'fast' | 'general';

const TASKS: readonly (readonly [TaskCategory, RegExp])[] = [
  ['vision', /\b(?:image|picture|photo|screenshot|diagram|visual|ocr)s?\b/i],
  [
    'coding',
    /\b(?:code|coding|program|function|bug|debug|refactor|script|sql|api|regex|compile|typescript|python|rust|java|javascript|unit tests?|implement)\w*\b/i,
  ],
  ['long_context', /\b(?:book|long document|whole document|transcript|entire|hundreds of pages|long report)s?\b/i],
  [
    'reasoning',
    /\b(?:reason|prove|proof|math|logic|analy[sz]e|analysis|plan|compare|evaluate|solve|step by step|why)\w*\b/i,
  ],
  ['creative', /\b(?:story|poem|creative|write|writing|essay|novel|lyrics|blog|marketing|slogan|character)\w*\b/i],
  ['fast', /\b(?:quick|fast|short|simple|translate|summari[sz]e|classify|extract)\w*\b/i],
];

export const WANTED_TAGS: Readonly<Record<TaskCategory | UseCase, readonly Tag[]>> = {
  coding: ['coding', 'reasoning'],
  reasoning: ['reasoning', 'quality'],
  analysis: ['reasoning', 'quality', 'long_context'],
  creative: ['creative', 'quality'],
  writing: ['creative', 'quality'],
  vision: ['vision'],
  long_context: ['long_context'],
  fast: ['fast', 'small'],
  general: ['general', 'quality'],
};

/** The kind of work a description speaks of, by its first telling word in order of how special the work is. */
export function taskCategory(description: string): TaskCategory {
  return TASKS.find(([, pattern]) => pattern.test(description))?.[0] ?? 'general';
}

/** Best first: wanted tags by rank, then what is loaded already, then size as asked for. Ties keep their order. */
export function rankModels<Model extends Candidate>(
  models: readonly Model[],
  wanted: readonly Tag[],
  prefer: 'speed' | 'quality' | null,
): Ranked<Model>[] {
  return models
    .map((model) => {
      const matched = wanted.filter((tag) => model.tags.includes(tag));
      const byTag = matched.reduce((sum, tag) => sum + (wanted.length - wanted.indexOf(tag)) * 10, 0);
      const score = byTag + (model.loaded ? 3 : 0) + preference(model, prefer);
      return { model, matched, score: Math.round(score * 10) / 10 };
    })
    .sort((a, b) => b.score - a.score);
}

/** Smaller is faster. Models of unknown size stand between the known ones. */
export function bySpeed(a: Candidate, b: Candidate): number {
  return speedKey(a) - speedKey(b);
}

function speedKey({ tags, parametersB }: Candidate): number {
  if (parametersB !== null) return parametersB;
  return tags.includes('fast') ? 5 : tags.includes('quality') ? 70 : 20;
}

function preference(model: Candidate, prefer: 'speed' | 'quality' | null): number {
  const size = Math.min(400, speedKey(model));
  const small = 15 * (1 - Math.log10(1 + size) / Math.log10(401));
  const tag = (name: Tag) => (model.tags.includes(name) ? 10 : 0);
  if (prefer === 'speed') return small + tag('fast');
  if (prefer === 'quality') return 15 - small + tag('quality');
  return 0;
}
