// How near vectors of the two runtimes and of the two precisions are to each other: the lowest cosine over all texts.
import { createEmbedder } from '../dist/index.js';
import { longTexts, median, modelDir, report, shortTexts } from './_tools.mjs';

const texts = [...shortTexts(120), ...longTexts(12)];
const vectorsOf = async (settings) => {
  const embedder = createEmbedder({ workers: 2, modelDir, ...settings });
  const vectors = await embedder.embed(texts);
  await embedder.close();
  return vectors;
};
const cosines = (a, b) => a.map((vector, i) => vector.reduce((sum, value, k) => sum + value * b[i][k], 0));

const int8 = await vectorsOf({ backend: 'onnx' });
const wasm = cosines(int8, await vectorsOf({ backend: 'wasm' }));
const fp32Vectors = await vectorsOf({ backend: 'onnx', precision: 'fp32' });
const fp32Wasm = cosines(fp32Vectors, await vectorsOf({ backend: 'wasm', precision: 'fp32' }));
const fp32 = cosines(int8, fp32Vectors);
const figures = (values, target) => {
  const lowest = Math.min(...values);
  // More digits than other figures have: the difference from 1 is what counts.
  return { lowest: lowest.toFixed(6), median: median(values).toFixed(6), target, holds: lowest >= target };
};
report('agreement-int8-native-wasm', figures(wasm, 0.995));
report('agreement-fp32-native-wasm', figures(fp32Wasm, 0.99999));
report('agreement-int8-fp32', figures(fp32, 0.98));
