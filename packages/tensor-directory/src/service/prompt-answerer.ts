import { ToolError } from '@atoll-mcp/core';
import { isoMicros, type Micros } from '../domain/dates.ts';
import { editDistance } from '../domain/prompt/edit-distance.ts';
import type { Input } from '../domain/prompt/parser.ts';
import { type Core, withoutSurroundings } from '../domain/prompt/surroundings.ts';
import { unread } from '../domain/prompt/without-tokens.ts';
import { plainName } from '../domain/words.ts';
import { promptNotRead } from '../errors.ts';
import { DescribedNames } from './described-names.ts';
import { PlanContext, type PlanParts, type QueryParams } from './plan-context.ts';
import { inputsOf, kindOf, PLANNING_TASK, plan, type Reading, readPlans, type Step } from './plans.ts';
import { StoredNames } from './stored-names.ts';
import { partNotUnderstood } from './unclear.ts';

export interface PromptAnswererOptions extends PlanParts {
  readonly clock: () => Micros;
}

/** A reading, with how many of its names are not there or leave open what they mean. */
type Chosen = Reading & { readonly missing: number };

/** What a prompt asks for, or an answer that needs nothing done. */
type Meaning = { readonly steps: readonly Step[]; readonly notes: readonly string[] } | { readonly said: string };

/** How many readings are looked at when the first do not hold. */
const MAX_READINGS = 60;
/** A third language is not worth a second look. */
const MAX_LANGUAGES = 2;
/** So many names are compared with one that is not there. */
const MAX_NAMES = 1000;

/** Answers prompts in the sentences of the original document. What begins with "Error" is thrown. */
export class PromptAnswerer {
  readonly #parts: PlanParts;
  readonly #clock: () => Micros;

  constructor({ clock, ...parts }: PromptAnswererOptions) {
    this.#parts = parts;
    this.#clock = clock;
  }

  async answer(prompt: string, params: QueryParams, signal?: AbortSignal): Promise<string> {
    const stored = new StoredNames(this.#parts.tensors, this.#parts.models);
    const inputs = this.#inputsOf(prompt);
    const core = withoutSurroundings(prompt);
    const whole = await this.#meaningOf(inputs, stored);
    const meant = (whole && core && isNamedBy(core, whole) ? undefined : whole) ??
      (core && (await this.#meaningOfCore(core, stored))) ?? {
        steps: (await this.#ask(prompt, signal)) ?? [],
        notes: [],
      };
    if ('said' in meant) return meant.said;
    const { steps, notes } = meant;
    if (steps.length > 0) return [await this.#carryOut(steps, params, signal), ...notes].join('\n');
    const sentence = `The intent of your request is unclear or not supported. Please try rephrasing. User prompt: '${prompt}'`;
    const hint = await partNotUnderstood(
      prompt,
      inputs,
      (input) => this.#isMet(input, stored),
      (name) => stored.exists('any', name),
    );
    return hint ? `${sentence}. ${hint}` : sentence;
  }

  #inputsOf(prompt: string): Input[] {
    return inputsOf(prompt, isoMicros(this.#clock()).slice(0, 10));
  }

  async #meaningOf(inputs: readonly Input[], stored: StoredNames): Promise<Meaning | undefined> {
    const read = await this.#read(inputs, stored);
    if (read?.missing === 0) return { steps: read.steps, notes: [] };
    // A name that is not there, but nearly, is more likely a slip than another name.
    const names = await DescribedNames.of(this.#parts.tensors, this.#parts.models);
    const described = await this.#read(
      inputs.slice(0, MAX_LANGUAGES).map((input) => describing(input, names)),
      stored,
    );
    const nearest = described?.missing === 0 ? undefined : await this.#nearest(inputs, stored);
    if (nearest) return { said: nearest };
    if (described) {
      const { steps, notes, problem } = names.resolve(described.steps, described.claims);
      return problem === undefined ? { steps, notes } : { said: problem };
    }
    return read && { steps: read.steps, notes: [] };
  }

  /** What is left of a prompt has to be understood by itself, and nothing stored may be named by what was set aside. */
  async #meaningOfCore({ text, setAside, isPolite, isList }: Core, stored: StoredNames): Promise<Meaning | undefined> {
    const words = setAside.flatMap((each) => each.match(/[\p{L}\p{N}_.-]*[\p{L}\p{N}_]/gu) ?? []);
    for (const word of words) if (await stored.exists('any', word)) return undefined;
    const meant = await this.#meaningOf(this.#inputsOf(text), stored);
    if (!meant || 'said' in meant) return meant;
    const { steps } = meant;
    if (!isPolite && steps.some((step) => step.do === 'run')) return undefined;
    return isList && !steps.every((step) => step.do === 'search') ? undefined : meant;
  }

  /** The first reading whose names are there; the likeliest one where only the answer is that something is not there. */
  async #read(inputs: readonly Input[], stored: StoredNames): Promise<Chosen | undefined> {
    let unsure: Chosen | undefined;
    for (const input of inputs) {
      let best: Chosen | undefined;
      let met: Reading | undefined;
      for (const reading of readPlans(input).slice(0, MAX_READINGS)) {
        if (met && !namesMore(reading, met)) continue;
        const missing = await this.#missing(reading, input, stored);
        if (missing === 0) met = reading;
        if (met) continue;
        if (missing !== undefined && (!best || missing < best.missing)) best = { ...reading, missing };
      }
      if (met) return { ...met, missing: 0 };
      if (best && !input.namesFor) return best;
      unsure ??= best;
    }
    return unsure;
  }

  /** Whether a prompt can be read with names that are all there. */
  async #isMet(input: Input, stored: StoredNames): Promise<boolean> {
    for (const reading of readPlans(input).slice(0, MAX_READINGS)) {
      if ((await this.#missing(reading, input, stored)) === 0) return true;
    }
    return false;
  }

  /** How many names are not there; `undefined` when one of them had to be. */
  async #missing({ steps, claims }: Reading, { namesFor }: Input, stored: StoredNames): Promise<number | undefined> {
    const planned = new Set(steps.flatMap((step) => ('outputs' in step ? (step.outputs ?? []) : [])));
    let missing = 0;
    const described = claims.filter(({ isDescribed }) => isDescribed);
    const isDescribing = described.length > 0;
    const meant = new Map(described.map((claim) => [claim.name, namesFor?.(claim)[0] ?? claim.name]));
    for (const claim of claims) {
      const { kind, must, does, reads, says } = claim;
      const name = meant.get(claim.name) ?? claim.name;
      if (claim.isDescribed) {
        if ((namesFor?.(claim).length ?? 0) !== 1) missing++;
        continue;
      }
      if (does !== undefined && !(await stored.does(name, does))) return undefined;
      if (says !== undefined && !(await stored.says(name, says))) return undefined;
      if (reads !== undefined && !(await stored.reads(name, reads))) return undefined;
      if ((kind !== 'model' && planned.has(name)) || (await stored.exists(kind, name))) continue;
      if (must || isDescribing) return undefined;
      missing++;
    }
    return missing;
  }

  /** "Tensor 'bais' not found. Did you mean 'bias'?", where the prompt could be read but for such names. */
  async #nearest(inputs: readonly Input[], stored: StoredNames): Promise<string | undefined> {
    const { tensors, models } = this.#parts;
    const page = { offset: 0, limit: MAX_NAMES };
    const names = { tensor: (await tensors.list({}, page)).items, model: (await models.list({}, page)).items };
    for (const input of inputs) {
      for (const { claims } of readPlans(input).slice(0, MAX_READINGS)) {
        const missing = [];
        for (const claim of claims) if (!(await stored.exists(claim.kind, claim.name))) missing.push(claim);
        const sentences = missing.map(({ kind, name }) => {
          const items = kind === 'any' ? [...names.tensor, ...names.model] : names[kind];
          const near = nearestOf(name, items);
          return near && `${kind === 'model' ? 'Model' : 'Tensor'} '${name}' not found. Did you mean ${near}?`;
        });
        if (sentences.length > 0 && sentences.every(Boolean)) return [...new Set(sentences)].join(' ');
      }
    }
    return undefined;
  }

  /** What the rules cannot read is put to a language model, which answers with a plan in the same language. */
  async #ask(prompt: string, signal: AbortSignal | undefined): Promise<readonly Step[] | undefined> {
    const { planner } = this.#parts.backends;
    if (!planner) return undefined;
    const answer = plan.safeParse(await planner.plan(prompt, PLANNING_TASK, signal));
    if (!answer.success) throw promptNotRead('the language model gave no plan that fits.', answer.error);
    const { steps } = answer.data;
    const isBackward = steps.some((step, i) => refsIn(step).some((number) => number > i));
    if (isBackward) throw promptNotRead('the language model gave a plan whose steps refer to later ones.');
    return steps;
  }

  /** Everything is checked before anything is done. */
  async #carryOut(steps: readonly Step[], params: QueryParams, signal: AbortSignal | undefined): Promise<string> {
    const context = new PlanContext(this.#parts, params, signal);
    for (const step of steps) {
      const problem = await kindOf(step).check?.(step, context);
      if (problem !== undefined) return problem;
      context.plan(outputsOf(step));
    }
    const skipped = new Set<number>();
    for (const [i, step] of steps.entries()) {
      // What follows on a step that was passed over goes on with what the condition was about.
      if (skipped.has(i)) {
        context.finish({ sentence: '', tensors: context.outcomes.at(-1)?.tensors ?? [] }, []);
        continue;
      }
      try {
        const outcome = await kindOf(step).perform(step, context);
        context.finish(outcome, outputsOf(step));
        const { from = 0, count = 0 } = outcome.skipped ?? {};
        for (let next = 0; next < count; next++) skipped.add(i + 1 + from + next);
      } catch (error) {
        throw context.done.length > 0 ? stoppedAt(i + 1, steps.length, context.done, error) : error;
      }
    }
    return context.done.join('\n');
  }
}

/** Where "weights" is a tensor, "show bias and weights" means it: all that one reading names, and more. "Show all vectors" names none. */
function namesMore(reading: Reading, met: Reading): boolean {
  if (reading.claims.some(({ isDescribed }) => isDescribed)) return false;
  const [names, known] = [reading, met].map(({ claims }) => new Set(claims.map(({ name }) => name)));
  // "The result" is that of the step before, also where a tensor is named `result`.
  const backward = (each: Reading) => each.steps.reduce((count, step) => count + refsIn(step).length, 0);
  if (backward(met) > backward(reading)) return false;
  // A different tensor in the same kind of step is no likelier: "run M on the newest tensor", where one is named `newest`.
  if (kindsOf(reading) === kindsOf(met)) return false;
  return known!.size > 0 && names!.size > known!.size && [...known!].every((name) => names!.has(name));
}

/** The same words, among which descriptions count as names. */
function describing(input: Input, names: DescribedNames): Input {
  const isThere: Input['isThere'] = (kind, name) => names.isThere(kind, name);
  return {
    ...input,
    namesFor: (claim) => names.namesFor(claim),
    isThere,
    isAbout: (words) => names.isAbout(words),
    ...unread(),
  };
}

function kindsOf({ steps }: Reading): string {
  return steps.map((step) => step.do).join();
}

/** The names that are nearest to what was said, if they are near enough for a slip. */
function nearestOf(said: string, items: readonly { readonly name: string }[]): string | undefined {
  const slips = said.length >= 8 ? 2 : 1;
  if (said.length < 4) return undefined;
  const names = [...new Set(items.map(({ name }) => name))];
  const distances = names.map((name) => editDistance(said.toLowerCase(), name.toLowerCase(), slips + 1));
  const least = Math.min(...distances);
  // In other case, or with other signs, it is that name.
  if (least > slips || names.some((name) => plainName(name) === plainName(said))) return undefined;
  const near = names.filter((_, i) => distances[i] === least);
  return near.map((name) => `'${name}'`).join(' or ');
}

/** "Run M on x for my report" does not call the output "report". */
function isNamedBy({ setAside }: Core, meant: Meaning): boolean {
  const words = new Set(setAside.flatMap((each) => each.split(/[^\p{L}\p{N}_-]+/u)));
  if (!('steps' in meant)) return false;
  // A key may turn out to be a name for the output.
  const keys = meant.steps.flatMap((step) =>
    step.do === 'run' ? step.inputs.map((input) => ('key' in input ? input.key : undefined)) : [],
  );
  return [...keys, ...meant.steps.flatMap(outputsOf)].some((name) => name !== undefined && words.has(name));
}

function outputsOf(step: Step): readonly string[] {
  return step.do === 'run' ? (step.outputs ?? []) : [];
}

function refsIn(step: Step): number[] {
  return [...JSON.stringify(step).matchAll(/"step":(\d+)/g)].map(([, number]) => Number(number));
}

function stoppedAt(step: number, steps: number, done: readonly string[], error: unknown): unknown {
  if (!(error instanceof ToolError)) return error;
  const failed = steps > 1 ? `Step ${step} of ${steps} failed` : 'The rest failed';
  const message = `${done.join('\n')}\n${failed}: ${error.message.replace(/(?<![.!?])$/, '.')} What is told before it was done.`;
  return new ToolError(error.code, message, { cause: error });
}
