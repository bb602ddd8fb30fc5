import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { elementType, GraphWriter } from '../src/domain/graphs/onnx-writer.ts';

const WIDTH = 4;
const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'cat', 'kitten', 'sofa', 'stock', 'market', 'the'];
const pieces = ['<unk>', '<s>', '</s>', '▁cat', '▁kit', 'ten', '▁stock', '▁', 'a', 'b'];

/** The row of a token: cats lie along one axis, markets along another. */
const rowOf = (token: string, index: number): number[] => {
  if (/cat|kit|ten|sofa/.test(token)) return [1, 0.1 * index, 0, 0];
  if (/stock|market/.test(token)) return [0, 0, 1, 0.1 * index];
  return [0.01, 0.01, 0.01, 0.5];
};

/** A graph that looks every token up in a table: real, though it knows ten words. */
function encoderGraph(tokens: readonly string[], output: 'last_hidden_state' | 'sentence_embedding'): Buffer {
  const graph = new GraphWriter();
  const table = Float32Array.from(tokens.flatMap(rowOf));
  graph.constant('table', elementType.float, [tokens.length, WIDTH], table);
  graph.node('Gather', ['table', 'input_ids'], [output === 'last_hidden_state' ? output : 'looked_up']);
  if (output === 'sentence_embedding') {
    graph.node('ReduceMean', ['looked_up'], [output], { attributes: { axes: { ints: [1] }, keepdims: { int: 0 } } });
  }
  return encode(graph, output, output === 'last_hidden_state' ? [1, 'tokens', WIDTH] : [1, WIDTH]);
}

/** Sums a number per token of the pair: documents about cats score high. */
function rerankerGraph(): Buffer {
  const graph = new GraphWriter();
  const table = Float32Array.from(words, (word) => (/cat|kitten|sofa/.test(word) ? 2 : -0.5));
  graph.constant('table', elementType.float, [words.length, 1], table);
  graph.node('Gather', ['table', 'input_ids'], ['looked_up']);
  graph.node('ReduceMean', ['looked_up'], ['logits'], { attributes: { axes: { ints: [1] }, keepdims: { int: 0 } } });
  return encode(graph, 'logits', [1, 1]);
}

const encode = (graph: GraphWriter, output: string, dims: readonly (number | string)[]): Buffer =>
  graph.encode({
    name: 'tiny',
    inputs: ['input_ids', 'attention_mask', 'token_type_ids'].map((name) => ({
      name,
      type: elementType.int64,
      dims: [1, 'tokens'],
    })),
    outputs: [{ name: output, type: elementType.float, dims }],
    opsets: { '': 17 },
  });

const wordPiece = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: words.slice(0, 4).map((content, id) => ({ id, content, special: true, normalized: false })),
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
    ],
    pair: [
      { SpecialToken: { id: '[CLS]', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '[SEP]', type_id: 0 } },
      { Sequence: { id: 'B', type_id: 1 } },
      { SpecialToken: { id: '[SEP]', type_id: 1 } },
    ],
    special_tokens: {
      '[CLS]': { id: '[CLS]', ids: [2], tokens: ['[CLS]'] },
      '[SEP]': { id: '[SEP]', ids: [3], tokens: ['[SEP]'] },
    },
  },
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: Object.fromEntries(words.map((word, id) => [word, id])),
  },
};

const unigram = {
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: pieces.slice(0, 3).map((content, id) => ({ id, content, special: true, normalized: false })),
  normalizer: null,
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  post_processor: {
    type: 'TemplateProcessing',
    single: [
      { SpecialToken: { id: '<s>', type_id: 0 } },
      { Sequence: { id: 'A', type_id: 0 } },
      { SpecialToken: { id: '</s>', type_id: 0 } },
    ],
    pair: [],
    special_tokens: {
      '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] },
      '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] },
    },
  },
  decoder: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true },
  model: { type: 'Unigram', unk_id: 0, vocab: pieces.map((piece, id) => [piece, id < 3 ? 0 : -1 - piece.length / 10]) },
};

/** The files of a model by name; `pooling` as sentence-transformers writes it down. */
export const tinyModels = {
  wordPiece: (pooling: 'mean' | 'cls' = 'mean') => ({
    'model.onnx': encoderGraph(words, 'last_hidden_state'),
    'tokenizer.json': JSON.stringify(wordPiece),
    '1_Pooling/config.json': JSON.stringify({
      pooling_mode_cls_token: pooling === 'cls',
      pooling_mode_mean_tokens: pooling === 'mean',
    }),
  }),
  unigram: () => ({
    'model.onnx': encoderGraph(pieces, 'last_hidden_state'),
    'tokenizer.json': JSON.stringify(unigram),
    'config.json': JSON.stringify({ max_position_embeddings: 8 }),
  }),
  sentence: () => ({
    'model.onnx': encoderGraph(words, 'sentence_embedding'),
    'tokenizer.json': JSON.stringify(wordPiece),
  }),
  reranker: () => ({
    'model.onnx': rerankerGraph(),
    'tokenizer.json': JSON.stringify(wordPiece),
    'config.json': JSON.stringify({ architectures: ['BertForSequenceClassification'] }),
  }),
};

export async function writeModel(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  for (const [name, contents] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), contents);
  }
  return folder;
}

/** The vector of a token, to compute what a model should give. */
export const tinyRow = (token: string): number[] => rowOf(token, words.indexOf(token));
export const tinyPiece = (token: string): number[] => rowOf(token, pieces.indexOf(token));
