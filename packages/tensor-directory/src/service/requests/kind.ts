import type { z } from 'zod';
import type { TensorItem } from '../../backends/interface.ts';
import type { Parser } from '../../domain/prompt/parser.ts';
import type { PlanContext } from '../plan-context.ts';

/** What a step did: a sentence, and the tensors that "it" and "the result" mean afterwards. */
export interface Outcome {
  readonly sentence: string;
  readonly tensors: readonly TensorItem[];
  /** The answer to a question of yes or no. */
  readonly holds?: boolean;
  /** Steps that are passed over, counted from the next one. */
  readonly skipped?: { readonly from: number; readonly count: number };
}

/** One kind of request: how it is written in a plan, how it is said, and how it is done. */
export interface RequestKind<S> {
  readonly step: z.ZodType<S>;
  /** Readings of a clause; a clause may be several steps. */
  readonly clause: Parser<readonly S[]>;
  /** Looks for what is wrong before anything is done. Returns a sentence, or throws where the answer is an error. */
  check?(step: S, context: PlanContext): Promise<string | undefined>;
  perform(step: S, context: PlanContext): Promise<Outcome>;
}
