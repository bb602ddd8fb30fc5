// How near vectors of the two runtimes and of the two precisions are to each other: the lowest cosine over all texts, and
// for int8 on the two runtimes how many have the same bits.
import { createEmbedder } from '../dist/index.js';
import { longTexts, median, modelDir, report, shortTexts } from './_tools.mjs';

const varied = [
  '今天的天气很好，我们一起去公园散步，然后在湖边的小店里喝茶。',
  '機器學習與向量搜尋',
  'const sum = (a: number[]) => a.reduce((x, y) => x + y, 0); // O(n)',
  'SELECT name, count(*) FROM users WHERE age > 30 GROUP BY name;',
  '🎉🚀 Launch day! 👩‍🚀🥳',
  'Grüße aus Zürich, où l’été est trop court.',
  'Привет, мир! Как дела?',
  '0x7fff 3.14159 1e-12',
  'x',
];
const sentences = [...shortTexts(250), ...longTexts(24)];
const texts = [
  ...sentences,
  ...varied,
  // Long, and with flat attention, where sums are largest.
  ...varied.map((text) => `${text} `.repeat(20)),
];
const vectorsOf = async (settings) => {
  const embedder = createEmbedder({ workers: 2, modelDir, ...settings });
  const vectors = await embedder.embed(texts);
  await embedder.close();
  return vectors;
};
const cosines = (a, b) => a.map((vector, i) => vector.reduce((sum, value, k) => sum + value * b[i][k], 0));

const int8 = await vectorsOf({ backend: 'onnx' });
const int8Wasm = await vectorsOf({ backend: 'wasm' });
const equal = int8.filter((vector, i) => Buffer.from(vector.buffer).equals(Buffer.from(int8Wasm[i].buffer))).length;
const fp32Vectors = await vectorsOf({ backend: 'onnx', precision: 'fp32' });
const fp32Wasm = cosines(fp32Vectors, await vectorsOf({ backend: 'wasm', precision: 'fp32' }));
const fp32 = cosines(int8, fp32Vectors);
const figures = (values, target) => {
  const lowest = Math.min(...values);
  // More digits than other figures have: the difference from 1 is what counts.
  return { lowest: lowest.toFixed(6), median: median(values).toFixed(6), target, holds: lowest >= target };
};
report('agreement-int8-native-wasm', {
  ...figures(cosines(int8, int8Wasm), 0.999999),
  equal_bits: equal,
  target: texts.length,
  holds: equal === texts.length,
});
report('agreement-fp32-native-wasm', figures(fp32Wasm, 0.99999));
report('agreement-int8-fp32', figures(fp32.slice(0, sentences.length), 0.98));
// What the model knows no words for has little meaning to keep.
report('agreement-int8-fp32-varied', figures(fp32.slice(sentences.length), 0.95));
