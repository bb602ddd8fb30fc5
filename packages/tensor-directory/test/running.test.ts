import { readFileSync } from 'node:fs';
import { silentLogger } from '@atoll-mcp/core';
import { SandboxError } from '@atoll-mcp/sandbox';
import { loadConfig } from '@atoll-mcp/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chooseBackends } from '../src/backends/choose.ts';
import { SandboxRunner } from '../src/backends/runner-sandbox.ts';
import { configDefinition } from '../src/config.ts';
import { TensorDirectoryService } from '../src/service.ts';
import { openDirectory, temporaryFolder } from './directory.ts';
import { needsPython } from './python.ts';

const ADD = `
import numpy as np
def predict(input_tensors_dict):
    return input_tensors_dict['input_A'] + input_tensors_dict['input_B']
`;

describe('Python models', needsPython, () => {
  test('run under roles, with lineage, and the output name stays unless it is taken', async () => {
    const { upload, call } = await openDirectory();
    const a = await upload('a', [
      [1, 2],
      [3, 4],
    ]);
    const b = await upload('b', [
      [5, 6],
      [7, 8],
    ]);
    const { body: model } = await call('upload_model', { name: 'adder', description: '', model_code: ADD });
    const run = async () =>
      (await call('run_model', { model: 'adder', inputs: { input_A: 'a', input_B: 'b' }, output_name: 'sum' })).body;
    const first = await run();
    expect(first).toMatchObject({
      success: true,
      name: 'sum',
      shape: [2, 2],
      dtype: 'int64',
      duration_ms: expect.any(Number),
    });
    expect(first.message).toBe(
      `Inference successful with model 'adder'. Output tensor saved as 'sum' (UUID: ${first.uuid}).`,
    );
    const { body } = await call('get_tensor', { name_or_uuid: 'sum' });
    expect(body).toMatchObject({
      values: [
        [6, 8],
        [10, 12],
      ],
      metadata: {
        lineage: { model_uuid: model.uuid, inputs: { input_A: a, input_B: b }, duration_ms: expect.any(Number) },
      },
    });
    expect((await run()).name).toMatch(/^sum_\d{8}_\d{6}_[0-9a-f]{8}$/);
    const unnamed = await call('run_model', { model: 'adder', inputs: { input_A: 'a', input_B: 'b' } });
    expect(unnamed.body.name).toMatch(/^inference_output_adder_\d{8}_\d{6}_[0-9a-f]{8}$/);
  });

  test('get a list of inputs under exactly those names, and weights beside them', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1.5]);
    await upload('x', [2.5]);
    const code =
      'import numpy as np\ndef predict(d):\n    assert sorted(d) == ["weights", "x", "x@1"], sorted(d)\n    return d["x"] * d["weights"] + d["x@1"]';
    await call('upload_model', { name: 'm', description: '', model_code: code, model_weights: [10] });
    const { body } = await call('run_model', { model: 'm', inputs: ['x', 'x@1'] });
    expect(body).toMatchObject({ success: true });
    expect((await call('get_tensor', { name_or_uuid: body.uuid as string })).body.values).toEqual([26.5]);
    expect((await call('run_model', { model: 'm', inputs: { weights: 'x' } })).body).toMatchObject({
      success: false,
      message: expect.stringContaining("'weights'"),
    });
  });

  test("run from the original's own prompt, code escaped twice and all", async () => {
    const { upload, call, ask } = await openDirectory();
    await call('upload_model', {
      name: 'image_enhancer_v1',
      description: '',
      model_code:
        "import numpy as np\\ndef predict(input_tensors_dict):\\n  image = input_tensors_dict['input_image_data']\\n  return np.clip(image * 1.2 + 10, 0, 255)",
    });
    await upload('input_image_data', [[10, 250]]);
    const prompt = "Run model 'image_enhancer_v1' on tensor 'input_image_data' and call the output 'enhanced_output'";
    expect(await ask(prompt)).toMatch(
      /^Inference successful with model 'image_enhancer_v1'\. Output tensor saved as 'enhanced_output' \(UUID: [0-9a-f-]{36}\)\.$/,
    );
    expect(await ask(prompt)).toMatch(/saved as 'enhanced_output_\d{8}_\d{6}_[0-9a-f]{8}'/);
    expect((await call('get_tensor', { name_or_uuid: 'enhanced_output' })).body.values).toEqual([[22, 255]]);
    expect(await ask("Run model 'image_enhancer_v1' on tensor 'input_image_data'", { output_name: 'third' })).toContain(
      "saved as 'third'",
    );
    expect(
      await ask("Run model 'image_enhancer_v1'", { inputs: { input_image_data: 'third' }, output_name: 'fourth' }),
    ).toContain("saved as 'fourth'");
    const missing = await call('query_tensor_directory', { prompt: "Run model 'image_enhancer_v1'" });
    expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/^Error: /) });
  });

  test('take roles from a prompt', async () => {
    const { upload, call, ask } = await openDirectory();
    await upload('matrix_A_for_adder', [
      [1, 2],
      [3, 4],
    ]);
    await upload('matrix_B_for_adder', [
      [5, 6],
      [7, 8],
    ]);
    await call('upload_model', { name: 'tensor_adder', description: '', model_code: ADD });
    const prompt =
      "Use model 'tensor_adder' with 'matrix_A_for_adder' as input_A and 'matrix_B_for_adder' as input_B. Call the output 'summed_matrix'.";
    expect(await ask(prompt)).toMatch(
      /^Inference successful with model 'tensor_adder'\. Output tensor saved as 'summed_matrix' \(UUID: /,
    );
    expect((await call('get_tensor', { name_or_uuid: 'summed_matrix' })).body.values).toEqual([
      [6, 8],
      [10, 12],
    ]);
  });

  test('more of them at once than the sandbox has sessions wait for their turn', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1]);
    await call('upload_model', { name: 'same', description: '', model_code: 'def predict(d): return d["x"]' });
    const runs = await Promise.all(
      Array.from({ length: 20 }, () => call('run_model', { model: 'same', inputs: ['x'], output_name: 'y' })),
    );
    expect(runs.filter(({ isError }) => isError)).toEqual([]);
    expect(new Set(runs.map(({ body }) => body.name)).size).toBe(20);
  });

  test('run on a storage without files too', async () => {
    const { upload, call } = await openDirectory({ storage: 'memory:' });
    await upload('input_A', [[1.5, 2.5]]);
    await upload('input_B', [[1, 'NaN']]);
    await call('upload_model', { name: 'adder', description: '', model_code: ADD });
    expect(
      (await call('run_model', { model: 'adder', inputs: ['input_A', 'input_B'], output_name: 'sum' })).body,
    ).toMatchObject({ success: true });
    expect((await call('get_tensor', { name_or_uuid: 'sum', slice: '0, ::-1' })).body.values).toEqual(['NaN', 2.5]);
    await call('delete_tensor', { name_or_uuid: 'sum' });
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(2);
  });

  test('say what is missing where there is no sandbox, and everything else works', async () => {
    const settings = { ...loadConfig(configDefinition).config, dataDir: temporaryFolder(), storage: 'memory:' };
    const missing = new SandboxError('unavailable', 'No Python with NumPy was found', {
      fix: 'atoll-sandbox setup-python',
    });
    const runner = new SandboxRunner(() => Promise.reject(missing));
    const service = new TensorDirectoryService({ ...chooseBackends(settings, silentLogger), runner }, settings);
    onTestFinished(() => service.close());
    await service.uploadTensor({ name: 'x', description: '', data: [1] });
    await service.uploadModel({ name: 'm', description: '', code: 'def predict(d): pass', language: 'python' });
    expect(await service.listModels({}, { offset: 0, limit: 9 })).toMatchObject({ total: 1 });
    await expect(service.runModel({ model: 'm', inputs: ['x'] })).rejects.toThrow(
      "Error: Model 'm' was not run: No Python with NumPy was found. To repair it: atoll-sandbox setup-python",
    );
    await expect(service.answer("run model 'm' on 'x'", {})).rejects.toThrow('atoll-sandbox setup-python');
  });

  test('what goes wrong is told in the words of the original document and stores nothing', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1, 2]);
    const fails = async (code: string, more = {}) => {
      await call('upload_model', { name: 'bad', description: '', model_code: code });
      const { body, isError } = await call('run_model', { model: 'bad', inputs: ['x'], ...more });
      expect(isError).toBe(true);
      return body.message;
    };
    expect(await fails('def predict(d): return 1 / 0')).toMatch(
      /^Error during model execution for 'bad': .*ZeroDivisionError/,
    );
    expect(await fails('x = 1')).toMatch(/predict/);
    for (const result of ['"text"', 'None', '{"a": 1}', 'np.array(["a"])', 'np.array([object()])', 'np.array([1j])']) {
      expect(await fails(`import numpy as np\ndef predict(d): return ${result}`), result).toMatch(
        /^Error during model execution for 'bad': /,
      );
    }
    expect(await fails('def predict(d):\n  while True: pass', { timeout_ms: 500 })).toMatch(
      /^Error during model execution for 'bad': /,
    );
    expect(await fails('import socket\ndef predict(d):\n  socket.create_connection(("127.0.0.1", 9))')).toMatch(
      /^Error during/,
    );
    expect((await call('run_model', { model: 'nobody', inputs: ['x'] })).body.message).toBe(
      "Model 'nobody' not found.",
    );
    expect((await call('run_model', { model: 'bad', inputs: ['y'] })).body.message).toBe(
      "Error: Input tensor 'y' not found for inference.",
    );
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(1);
  });

  test('may return as much as is stored, up to 256 MiB', async () => {
    const code = (bytes: number) => `import numpy as np\ndef predict(d): return np.zeros(${bytes}, np.uint8)`;
    const runs = async (bytes: number, settings: { maxTensorBytes?: number }) => {
      const { upload, call } = await openDirectory(settings);
      await upload('x', [1]);
      await call('upload_model', { name: 'zeros', description: '', model_code: code(bytes) });
      return (await call('run_model', { model: 'zeros', inputs: ['x'] })).body;
    };
    expect(await runs(100_000_000, {})).toMatchObject({ success: true, shape: [100_000_000] });
    expect(await runs(2 ** 28 + 1, {})).toMatchObject({
      success: false,
      message: expect.stringContaining('predict returned 268435457 bytes; the limit is 268435456'),
    });
    expect(await runs(81, { maxTensorBytes: 80 })).toMatchObject({
      success: false,
      message: expect.stringContaining('predict returned 81 bytes; the limit is 80'),
    });
  });

  test('may return scalars and empty arrays', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1, 2]);
    await call('upload_model', {
      name: 'sum',
      description: '',
      model_code: 'import numpy as np\ndef predict(d): return np.array(d["x"].sum())',
    });
    expect((await call('run_model', { model: 'sum', inputs: ['x'], output_name: 's' })).body).toMatchObject({
      success: true,
      shape: [],
    });
    expect((await call('get_tensor', { name_or_uuid: 's' })).body.values).toBe(3);
    await call('upload_model', {
      name: 'none',
      description: '',
      model_code: 'import numpy as np\ndef predict(d): return np.zeros((0, 3))',
    });
    expect((await call('run_model', { model: 'none', inputs: ['x'], output_name: 'n' })).body).toMatchObject({
      success: true,
      shape: [0, 3],
    });
    expect((await call('get_tensor', { name_or_uuid: 'n' })).body.values).toEqual([]);
  });
});

test('a model that is nothing but weights is an input of a model with code', async () => {
  const { upload, call } = await openDirectory();
  const x = await upload('x', [1, 2]);
  await call('upload_model', { name: 'scale', description: '', model_weights: [10, 20] });
  await call('upload_model', { name: 'same', description: '', model_weights: [0, 0] });
  await upload('same', [5, 5]);
  const code =
    'function predict({ x, w }) { return { dtype: x.dtype, shape: x.shape, data: x.data.map((value, i) => value * w.data[i]) }; }';
  await call('upload_model', { name: 'times', description: '', model_code: code, language: 'javascript' });
  const { body } = await call('run_model', { model: 'times', inputs: { x: 'x', w: 'scale' }, output_name: 'out' });
  expect(body).toMatchObject({ success: true });
  const scale = (await call('get_model', { name_or_uuid: 'scale' })).body.metadata as { uuid: string };
  expect((await call('get_tensor', { name_or_uuid: 'out' })).body).toMatchObject({
    values: [10, 40],
    metadata: { lineage: { inputs: { x, w: scale.uuid } } },
  });
  await call('run_model', { model: 'times', inputs: { x: 'x', w: 'same' }, output_name: 'tensor first' });
  expect((await call('get_tensor', { name_or_uuid: 'tensor first' })).body.values).toEqual([5, 10]);
  expect((await call('run_model', { model: 'times', inputs: { x: 'x', w: 'times' } })).text).toContain(
    "'times' not found",
  );
});

describe('JavaScript models', () => {
  test('that are the example of the README run on whole numbers, and others are told about BigInt', async () => {
    const { upload, call } = await openDirectory();
    const [, example] = /```js\n(function predict[\s\S]*?)```/.exec(
      readFileSync(new URL('../README.md', import.meta.url), 'utf8'),
    ) as unknown as [string, string];
    await upload('photo', [[100, 240]]);
    await call('upload_model', { name: 'brighter', description: '', model_code: example, language: 'javascript' });
    const run = { model: 'brighter', inputs: { input_image: 'photo' }, output_name: 'bright' };
    expect((await call('run_model', run)).body).toMatchObject({ success: true, dtype: 'float64' });
    expect((await call('get_tensor', { name_or_uuid: 'bright' })).body.values).toEqual([[130, 255]]);
    const code =
      'function predict({ x }) { return { dtype: x.dtype, shape: x.shape, data: x.data.map((v) => v * 2) }; }';
    await call('upload_model', { name: 'naive', description: '', model_code: code, language: 'javascript' });
    expect((await call('run_model', { model: 'naive', inputs: ['photo'] })).text).toContain(
      'Values of int64 and uint64 are BigInt in JavaScript: use Number(value)',
    );
  });

  test('that are uploaded without their language are told which one is missing', async () => {
    const { call } = await openDirectory();
    const code = 'function predict(inputs) { return inputs.x; }';
    expect((await call('upload_model', { name: 'm', description: '', model_code: code })).body.warning).toBe(
      'model_code is read as python and seems to be javascript: set "language" to "javascript". As it is, the model cannot be run.',
    );
  });

  test('get and give typed arrays', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [
      [1, 2],
      [3, 4],
    ]);
    await upload('f', [0.5, 1.5]);
    const double =
      'function predict(inputs) { const t = inputs.x; return { dtype: t.dtype, shape: t.shape, data: t.data.map((v) => v * 2n) }; }';
    await call('upload_model', { name: 'double', description: '', model_code: double, language: 'javascript' });
    expect((await call('run_model', { model: 'double', inputs: ['x'], output_name: 'd' })).body).toMatchObject({
      success: true,
      shape: [2, 2],
      dtype: 'int64',
    });
    expect((await call('get_tensor', { name_or_uuid: 'd' })).body.values).toEqual([
      [2, 4],
      [6, 8],
    ]);
    const weighted =
      'const predict = ({ f, weights }) => ({ dtype: "float64", shape: [1], data: Float64Array.of(f.data[0] * weights.data[0]) });';
    await call('upload_model', {
      name: 'weighted',
      description: '',
      model_code: weighted,
      model_weights: [3.5],
      language: 'javascript',
    });
    const { body } = await call('run_model', { model: 'weighted', inputs: ['f'], output_name: 'w' });
    expect(body).toMatchObject({ success: true });
    expect((await call('get_tensor', { name_or_uuid: 'w' })).body.values).toEqual([1.75]);
  });

  test('that return something else are refused', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1.5]);
    for (const result of [
      '5',
      'null',
      '{ dtype: "float64", shape: [2], data: Float64Array.of(1) }',
      '{ dtype: "int8", shape: [1], data: Float64Array.of(1) }',
      '{ shape: [1], data: [1] }',
    ]) {
      await call('upload_model', {
        name: 'bad',
        description: '',
        model_code: `function predict() { return (${result}); }`,
        language: 'javascript',
      });
      expect((await call('run_model', { model: 'bad', inputs: ['x'] })).body, result).toMatchObject({
        success: false,
        message: expect.stringMatching(/^Error during model execution for 'bad': /),
      });
    }
  });
});
