import type { HalfTensors } from '../safetensors.ts';
import { ByteGraph } from './byte-graph.ts';
import { minilm, type Precision } from './minilm.ts';
import { ExactLayers } from './minilm-exact-layers.ts';
import { FloatLayers } from './minilm-float-layers.ts';
import { elementType, type GraphWriter } from './onnx-writer.ts';

const { width, vocabulary, positions } = minilm;

/**
 * The model as one ONNX graph: ids, places and presence of tokens in, as [tokens, texts]; the mean over each text's tokens
 * (`pooled`) and that mean scaled to length 1 (`unit`) out. Only int8 looks at presence: fp32 takes one text per run.
 */
export function buildGraph(weights: HalfTensors, precision: Precision): Buffer<ArrayBuffer> {
  const graph = new ByteGraph();
  const embedded = embeddings(graph, weights);
  if (precision === 'int8') new ExactLayers(graph, weights).write(embedded, 'present', outputs);
  else new FloatLayers(graph, weights).write(embedded, outputs);
  return graph.encode({
    name: minilm.name,
    inputs: [
      { name: 'ids', type: elementType.int32, dims: ['tokens', 'texts'] },
      { name: 'places', type: elementType.int32, dims: ['tokens', 'texts'] },
      { name: 'present', type: elementType.float, dims: ['tokens', 'texts'] },
    ],
    outputs: Object.values(outputs).map((name) => ({ name, type: elementType.float, dims: ['texts', width] })),
    opsets: { '': 17, 'com.microsoft': 1 },
  });
}

const outputs = { pooled: 'pooled', unit: 'unit' };

/** Word, place and segment of each token, summed. The word table stays fp16: only the rows in use are widened. */
function embeddings(graph: GraphWriter, weights: HalfTensors): string {
  const places = weights.floats('embeddings.position_embeddings.weight');
  const segments = weights.floats('embeddings.token_type_embeddings.weight');
  for (let i = 0; i < places.length; i++) places[i] = places[i]! + segments[i % width]!;
  const words = Uint8Array.from(weights.raw('embeddings.word_embeddings.weight'));
  graph.constant('word_table', elementType.float16, [vocabulary, width], words);
  graph.constant('place_table', elementType.float, [positions, width], places);

  graph.node('Gather', ['word_table', 'ids'], ['word_halves']);
  graph.node('Cast', ['word_halves'], ['word'], { attributes: { to: { int: elementType.float } } });
  graph.node('Gather', ['place_table', 'places'], ['place']);
  return graph.node('Add', ['word', 'place'], ['embedded']);
}
