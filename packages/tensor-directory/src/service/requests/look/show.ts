import { countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import { z } from 'zod';
import type { ModelItem, TensorItem } from '../../../backends/interface.ts';
import { type TensorRef, tensorRef } from '../../../domain/plan.ts';
import { alt, list, many, map, mustExist, opt, type Parser, seq, word } from '../../../domain/prompt/parser.ts';
import { and, asking, itemName, modelName } from '../../../domain/prompt/refs.ts';
import { tensorRefs } from '../../../domain/prompt/tensor-refs.ts';
import { pythonRepr } from '../../../domain/python-repr.ts';
import { modelRowOf, tensorRowOf } from '../../../schemas.ts';
import type { RequestKind } from '../kind.ts';
import { valuesText } from './values.ts';

const step = z.strictObject({
  do: z.literal('show').describe('Metadata, shape and dtype of one tensor, or metadata of one model'),
  item: tensorRef,
  kind: z.enum(['tensor', 'model', 'any']).default('any'),
  values: z.boolean().optional().describe('Whether the values of a small tensor are shown as well'),
});
type Show = z.output<typeof step>;

const item: Parser<Show> = alt(
  map(itemName, ({ kind, name }) => ({ do: 'show' as const, kind, item: { name } })),
  map(
    tensorRefs,
    (ref) => (isPrevious(ref) ? { do: 'show' as const, kind: 'tensor' as const, item: ref } : undefined),
    // Where nothing more is said, "the result" is its values.
    0.5,
  ),
);
const modelItem: Parser<Show> = map(modelName, (name) => ({
  do: 'show' as const,
  kind: 'model' as const,
  item: { name },
}));
const DISPLAYING =
  /^(?:show|display|view|see|open|read|let me see|pull up|bring up|zeig.*|anzeigen|muestra.*|muéstra.*|ver|ens[eé]ña.*|montre.*|affiche.*|voir|显示|看|看一下|查看|展示)$/i;
/** So many values are shown with the metadata. */
const MAX_SHOWN = 20;
const items = list(
  map(seq(opt(word('OF')), item), ([, found]) => found),
  and,
);
const attributes = list(word('SHAPE', 'DTYPE', 'DETAILS', 'VERSIONS', 'HOW_BIG'), and);
const trailing = many(word('HAVE', 'IS', 'EXIST', 'WHAT', 'PARTICLE'));

const clause: Parser<readonly Show[]> = alt(
  // "find X", "is there a tensor named X", "do you have X"
  map(
    seq(many(word('SHOW', 'EXIST', 'HAVE', 'DOES', 'WHAT'), 1), opt(word('OF')), items, trailing),
    // "Print X" asks for its values.
    ([said, , found]) =>
      said.every(({ concepts }) => concepts.has('DUMP')) && found.every(({ kind }) => kind !== 'model')
        ? undefined
        : said.some(({ text }) => DISPLAYING.test(text))
          ? found.map((each) => ({ ...each, values: true }))
          : found,
  ),
  // "what is the shape of X", "which dtype does X have"
  map(
    seq(asking, attributes, many(word('OF', 'DOES', 'IS', 'HAVE', 'NAMED')), items, trailing),
    ([, , , found]) => found,
  ),
  // "X shape", "X 的形状是什么"
  map(seq(asking, items, many(word('OF')), attributes, many(word('IS', 'WHAT', 'HAVE'))), ([, found]) => found),
  // "X 是什么数据类型"
  map(seq(items, many(word('IS', 'WHAT', 'HAVE'), 1), attributes), ([found]) => found, 0.5),
  // "what dtype is X stored as"
  map(
    seq(asking, attributes, many(word('OF', 'DOES', 'IS', 'HAVE')), items, many(word('IS', 'EXIST')), word('AS')),
    ([, , , found]) => found,
  ),
  map(seq(word('DOES', 'IS'), items, word('EXIST')), ([, found]) => found),
  map(
    seq(word('WHEN'), many(word('IS', 'DOES', 'HAVE')), items, many(word('IS', 'HAVE', 'REL')), word('CREATED')),
    ([, , found]) => found,
  ),
  // "when did I upload X", "how old is X"
  map(seq(word('WHEN'), many(word('IS', 'DOES', 'HAVE')), word('CREATED'), items), ([, , , found]) => found),
  map(seq(word('HOW_OLD'), many(word('IS', 'OF')), items), ([, , found]) => found),
  // "the latest version of X", "what language is M written in"
  map(seq(many(word('SHOW', 'WHAT', 'IS')), word('NEWEST'), word('VERSIONS'), word('OF'), item), ([, , , , found]) => [
    found,
  ]),
  mustExist(
    map(
      seq(many(word('OF', 'WHAT')), word('LANGUAGE'), word('IS'), modelItem, many(word('REL', 'EXIST'))),
      ([, , , found]) => [found],
    ),
  ),
  // "what is stored under X"
  map(seq(word('WHAT'), word('IS'), word('EXIST'), word('INTO', 'OF', 'AS'), items), ([, , , , found]) => found),
  map(seq(items, many(word('IS')), word('WHEN'), many(word('IS', 'HAVE', 'REL')), word('CREATED')), ([found]) => found),
  mustExist(map(seq(item, many(word('OF')), word('WHAT_FOR'), many(word('OF'))), ([found]) => [found])),
  // "what is X for", "à quoi sert X"
  mustExist(
    map(
      seq(many(word('WHAT', 'IS', 'DOES', 'SHOW'), 1), item, many(word('AS', 'OF')), word('WHAT_FOR')),
      ([, found]) => [found],
    ),
  ),
  mustExist(
    map(
      seq(many(word('WHAT', 'IS', 'SHOW')), word('WHAT_FOR'), opt(word('OF', 'IS')), item, opt(word('WHAT_FOR'))),
      ([, said, , found]) => (/ |^wo/i.test(said.text) || /^(?:purpose|zweck)/i.test(said.text) ? [found] : undefined),
    ),
  ),
  // "explain what X does"
  mustExist(map(seq(word('SHOW'), word('WHAT'), item, word('DOES')), ([, , found]) => [found])),
  mustExist(map(seq(word('WHAT'), word('DOES'), item, word('DOES')), ([, , found]) => [found])),
  mustExist(map(seq(word('WHAT'), word('IS'), item), ([, , found]) => [found])),
  mustExist(map(seq(word('IS'), item), ([, found]) => [found])),
);
/** A name and nothing else. */
export const bareItem: Parser<readonly Show[]> = mustExist(map(item, (found) => [found], 0.5));

export const show: RequestKind<Show> = {
  step,
  clause,
  async check({ item: ref, kind }, context) {
    if (!('name' in ref) || (await context.find(ref.name, kind))) return undefined;
    if (kind !== 'model' && (await context.isThere(ref.name))) return undefined;
    return kind === 'model' ? `Model '${ref.name}' not found.` : `Tensor '${ref.name}' not found.`;
  },
  async perform({ item: ref, kind, values }, context) {
    if ('step' in ref) {
      const tensors = (await context.resolve(ref)).map((part) => part.item);
      return { sentence: tensors.map((tensor) => tensorSentence(tensor.name, tensor)).join('\n'), tensors };
    }
    const found = await context.find(ref.name, kind);
    if (!found) throw new Error('the planner has seen it');
    if (!('values' in found)) return { sentence: modelSentence(ref.name, found), tensors: [] };
    const sentence = tensorSentence(ref.name, found);
    if (!values || countOf(found.values.shape) > MAX_SHOWN) return { sentence, tensors: [found] };
    const shown = (await context.values({ item: found }, MAX_SHOWN)).values;
    return { sentence: `${sentence} Values: ${valuesText(shown)}.`, tensors: [found] };
  },
};

function isPrevious(ref: TensorRef): boolean {
  return 'step' in ref;
}

function tensorSentence(given: string, tensor: TensorItem): string {
  const { user_name, uuid, ...rest } = tensorRowOf(tensor);
  const { shape, dtype } = tensor.values;
  return `Tensor '${given}' found. Metadata: ${pythonRepr({ user_name, ...rest, uuid })}. Shape: ${shapeText(shape)}, Dtype: ${dtype}.`;
}

function modelSentence(given: string, model: ModelItem): string {
  const { user_name, uuid, ...rest } = modelRowOf(model);
  return `Model '${given}' found. Metadata: ${pythonRepr({ user_name, ...rest, uuid })}. It has ${contentOf(model)}.`;
}

export function contentOf({ code, weights, language, onnx }: ModelItem): string {
  if (onnx)
    return `an ONNX graph of ${onnx.operators.reduce((sum, { count }) => sum + count, 0)} operators and ${onnx.parameters} parameters`;
  const parts = [
    ...(code === undefined ? [] : [`${language === 'python' ? 'Python' : 'JavaScript'} code`]),
    ...(weights ? [`weights of shape ${shapeText(weights.shape)}`] : []),
  ];
  return parts.join(' and ');
}
