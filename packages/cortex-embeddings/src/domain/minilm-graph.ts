import { minilm, type Precision } from './minilm.ts';
import { ExactLayers } from './minilm-exact-layers.ts';
import { FloatLayers } from './minilm-float-layers.ts';
import { elementType, GraphWriter } from './onnx-writer.ts';
import type { HalfTensors } from './safetensors.ts';

const { width, vocabulary, positions } = minilm;

/**
 * The model as one ONNX graph: the ids of one text in, the mean over its tokens (`pooled`) and that mean scaled to
 * length 1 (`unit`) out. There is no attention mask, because texts are never padded to a common length.
 */
export function buildGraph(weights: HalfTensors, precision: Precision): Buffer<ArrayBuffer> {
  const graph = new GraphWriter();
  const embedded = embeddings(graph, weights);
  const layers = precision === 'int8' ? new ExactLayers(graph, weights) : new FloatLayers(graph, weights);
  layers.write(embedded, { pooled: 'pooled', unit: 'unit' });
  return graph.encode({
    name: minilm.name,
    inputs: [{ name: 'ids', type: elementType.int32, dims: [1, 'tokens'] }],
    outputs: ['pooled', 'unit'].map((name) => ({ name, type: elementType.float, dims: [1, width] })),
    opsets: { '': 17, 'com.microsoft': 1 },
  });
}

/** Word, place and segment of each token, summed. The word table stays fp16: only the rows in use are widened. */
function embeddings(graph: GraphWriter, weights: HalfTensors): string {
  const places = weights.floats('embeddings.position_embeddings.weight');
  const segments = weights.floats('embeddings.token_type_embeddings.weight');
  for (let i = 0; i < places.length; i++) places[i] = places[i]! + segments[i % width]!;
  const words = Uint8Array.from(weights.raw('embeddings.word_embeddings.weight'));
  graph.constant('words', elementType.float16, [vocabulary, width], words);
  graph.constant('places', elementType.float, [positions, width], places);
  graph.constant('first', elementType.int32, [1], Int32Array.of(0));

  graph.node('Gather', ['words', 'ids'], ['word_halves']);
  graph.node('Cast', ['word_halves'], ['word'], { attributes: { to: { int: elementType.float } } });
  graph.node('Shape', ['ids'], ['count_long'], { attributes: { start: { int: 1 } } });
  graph.node('Cast', ['count_long'], ['count'], { attributes: { to: { int: elementType.int32 } } });
  graph.node('Slice', ['places', 'first', 'count', 'first'], ['place']);
  return graph.node('Add', ['word', 'place'], ['embedded']);
}
