import { type Directory, openDirectory } from '../directory.ts';

/** A tensor that a request made: its name without date and random part, and its values. */
export type Made = readonly [name: string, values: unknown];

export interface RequestDirectory extends Directory {
  /** Asks, tells what was made by it, and removes that again. */
  request(prompt: string): Promise<{ text: string; isError: boolean; made: Made[] }>;
}

const map = (key: string, expression: string) =>
  `function predict(inputs) { const t = inputs.${key}; return { dtype: 'float64', shape: t.shape, data: Float64Array.from(t.data, (v) => ${expression}) }; }`;

/** Tensors and models of many kinds, each with something to be asked for. */
export async function openRequestDirectory(): Promise<RequestDirectory> {
  const directory = await openDirectory();
  const { upload, call } = directory;
  const model = (name: string, more: object) =>
    call('upload_model', { name, description: `about ${name}`, language: 'javascript', ...more });
  await upload('bias', [1, -2, 3], { dtype: 'float32', description: 'bias of the first layer' });
  await upload('sales_2023', [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120], {
    description: 'monthly sales in euros',
    tags: ['prod'],
  });
  await upload('sales_2024', [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 150], {
    description: 'monthly sales in euros',
  });
  await upload(
    'input_image_data',
    [
      [10, 250],
      [0, 100],
    ],
    { description: 'grey picture of a cat' },
  );
  await upload('matrix_A', [
    [1, 2],
    [3, 4],
  ]);
  await upload('matrix_B', [
    [5, 6],
    [7, 8],
  ]);
  await upload('gaps', [1.5, 'NaN', 0, 'Infinity'], { tags: ['raw'] });
  await upload('mask', [true, false]);
  await upload('my first try', [7]);
  await upload('embeddings', Array(3).fill([0.5, 0.25, 1, 2]), { dtype: 'float32', tags: ['prod', 'nlp'] });
  await model('doubler', { model_code: map('x', 'Number(v) * 2'), description: 'multiplies by two' });
  await model('negator', { model_code: map('value', '-Number(v)'), description: 'changes the sign' });
  await model('image_enhancer_v1', {
    language: 'python',
    description: 'Simple model to adjust image brightness, defined in Python.',
    model_code:
      "import numpy as np\ndef predict(input_tensors_dict):\n  image = input_tensors_dict['input_image']\n  return np.clip(image * 1.2 + 10, 0, 255)",
  });
  await model('adder', {
    model_code:
      "function predict(inputs) { const a = inputs['left']; const b = inputs['right']; return { dtype: 'float64', shape: a.shape, data: Float64Array.from(a.data, (v, i) => Number(v) + 10 * Number(b.data[i])) }; }",
    description: 'left plus ten times right',
  });
  await model('keys', {
    model_code:
      "function predict(all) { const names = Object.keys(all); return { dtype: 'float64', shape: [names.length], data: Float64Array.from(names, (name) => name.length) }; }",
    description: 'lengths of the names it is given',
  });
  await model('embedding_lookup_table', {
    model_weights: [
      [0.1, 0.2],
      [0.3, 0.4],
    ],
    description: 'pre-trained weights',
  });
  await model('scaler', { model_code: map('x', 'Number(v) * Number(inputs.weights.data[0])'), model_weights: [100] });
  return { ...directory, request: (prompt) => request(directory, prompt) };
}

async function request({ call }: Directory, prompt: string) {
  const listed = async () =>
    (await call('list_tensors', { limit: 1000 })).body.tensors as {
      uuid: string;
      user_name: string;
      creation_date: string;
    }[];
  const before = new Set((await listed()).map(({ uuid }) => uuid));
  const { text, isError } = await call('query_tensor_directory', { prompt });
  const made: Made[] = [];
  const news = (await listed()).filter(({ uuid }) => !before.has(uuid));
  news.sort((a, b) => (a.creation_date < b.creation_date ? -1 : 1));
  for (const { uuid, user_name } of news) {
    const { body } = await call('get_tensor', { name_or_uuid: uuid });
    made.push([user_name.replace(/_\d{8}_\d{6}_[0-9a-f]{8}$/, ''), body.values]);
    await call('delete_tensor', { name_or_uuid: uuid });
  }
  return { text, isError, made };
}
