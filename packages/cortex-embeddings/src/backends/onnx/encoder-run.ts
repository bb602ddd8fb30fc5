import type { Tensor } from 'onnxruntime-web';
import type { InstalledModel } from '../../domain/models/installed-model.ts';
import { unitVector } from '../../domain/vector.ts';
import { ModelProblem } from '../model-problem.ts';
import type { EncodedTokens } from './encoder-tokens.ts';
import type { OrtSession } from './ort-session.ts';

/** One vector per text, in order. */
type RunEncoder = (texts: readonly EncodedTokens[], normalize: boolean) => Promise<Float32Array<ArrayBuffer>[]>;

/** As many tokens share a run as fit the processor's caches; more at once gain nothing. */
const MAX_TOKENS = 384;

export function runnerFor(model: Pick<InstalledModel, 'name' | 'format' | 'pooling'>, session: OrtSession): RunEncoder {
  return model.format === 'use' ? useRunner(session) : encoderRunner(model, session);
}

/**
 * Texts share a run, one after the other: in fp32 a neighbour changes a vector by less than a millionth, and short texts
 * cost half. The graph scales its vectors to length 1 itself, so there are no others.
 */
function useRunner({ session, Tensor }: OrtSession): RunEncoder {
  return async (texts) => {
    const vectors: Float32Array<ArrayBuffer>[] = [];
    for (const group of groupsOf(texts)) {
      const ids = group.flatMap((text) => text.ids);
      const numbers = group.flatMap((text, index) => text.ids.map(() => index));
      const answer = await session.run({
        ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [ids.length]),
        texts: new Tensor('int64', BigInt64Array.from(numbers, BigInt), [ids.length]),
      });
      const values = floatsOf(answer.vectors);
      const width = values.length / group.length;
      for (const index of group.keys()) {
        vectors.push(Float32Array.from(values.subarray(index * width, (index + 1) * width)));
      }
    }
    return vectors;
  };
}

function groupsOf(texts: readonly EncodedTokens[]): EncodedTokens[][] {
  const groups: EncodedTokens[][] = [];
  let tokens = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    tokens += text.ids.length;
    if (tokens <= MAX_TOKENS) {
      groups.at(-1)!.push(text);
      continue;
    }
    groups.push([text]);
    tokens = text.ids.length;
  }
  return groups;
}

function encoderRunner({ name, pooling }: Pick<InstalledModel, 'name' | 'pooling'>, ort: OrtSession): RunEncoder {
  const { session } = ort;
  const output = outputFor(session.outputNames, pooling);
  if (output === undefined) {
    throw new ModelProblem(
      `The graph of "${name}" has the outputs ${session.outputNames.join(', ')}, none of which is known here`,
      'Export it with last_hidden_state, token_embeddings or sentence_embedding',
    );
  }
  // One text at a time: beside others a vector of a quantised model would depend on them.
  return async (texts, normalize) => {
    const vectors: Float32Array<ArrayBuffer>[] = [];
    for (const tokens of texts) {
      const tensor = (await session.run(inputsFor(ort, tokens), [output]))[output];
      const values = floatsOf(tensor);
      const vector = tensor?.dims.length === 3 ? pool(values, tensor.dims, pooling) : Float32Array.from(values);
      vectors.push(Float32Array.from(normalize ? unitVector(vector) : vector));
    }
    return vectors;
  };
}

/** How well a document answers a query: the graph's one number for the pair, between 0 and 1. */
export async function scorePair(ort: OrtSession, tokens: EncodedTokens): Promise<number> {
  const { session } = ort;
  const output = session.outputNames.includes('logits') ? 'logits' : session.outputNames[0]!;
  const values = floatsOf((await session.run(inputsFor(ort, tokens), [output]))[output]);
  // With two classes the second is "relevant".
  const logit = values.length === 1 ? values[0]! : values[1]! - values[0]!;
  return 1 / (1 + Math.exp(-logit));
}

function inputsFor({ session, Tensor }: OrtSession, { ids, types }: EncodedTokens): Record<string, Tensor> {
  const dims = [1, ids.length];
  const tensor = (values: readonly number[]) => new Tensor('int64', BigInt64Array.from(values, BigInt), dims);
  const known: Readonly<Record<string, () => Tensor>> = {
    input_ids: () => tensor(ids),
    attention_mask: () => tensor(ids.map(() => 1)),
    token_type_ids: () => tensor(types),
    position_ids: () => tensor(ids.map((_, place) => place)),
  };
  return Object.fromEntries(
    session.inputNames.map((name) => {
      if (Object.hasOwn(known, name)) return [name, known[name]!()];
      throw new ModelProblem(`The graph wants an input "${name}", which is not known here`, 'Choose another model');
    }),
  );
}

function outputFor(names: readonly string[], pooling: InstalledModel['pooling']): string | undefined {
  const wanted =
    pooling === 'given'
      ? ['sentence_embedding', 'text_embeds', 'pooler_output', 'embeddings']
      : ['last_hidden_state', 'token_embeddings', 'hidden_states'];
  return wanted.find((name) => names.includes(name)) ?? (names.length === 1 ? names[0] : undefined);
}

/** [1, tokens, width] to one vector; every token of the one text counts. */
function pool(values: Float32Array, [, tokens = 0, width = 0]: readonly number[], pooling: string): Float32Array {
  if (pooling === 'cls') return values.slice(0, width);
  const mean = new Float32Array(width);
  for (let at = 0; at < tokens * width; at++) mean[at % width] = mean[at % width]! + values[at]!;
  return mean.map((sum) => sum / tokens);
}

function floatsOf(tensor: Tensor | undefined): Float32Array {
  const data = tensor?.data;
  if (data instanceof Float32Array) return data;
  throw new ModelProblem('The graph gives no float32 values', 'Choose a model in fp32 or int8');
}
