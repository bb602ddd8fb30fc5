import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { loadConfig } from '@atoll-mcp/server';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chooseBackends } from '../src/backends/choose.ts';
import { type ProcessOnnxOptions, ProcessOnnxRunner } from '../src/backends/runner-onnx.ts';
import { configDefinition } from '../src/config.ts';
import { readOnnx } from '../src/domain/onnx/onnx-model.ts';
import { TensorDirectoryService } from '../src/service.ts';
import { openDirectory, temporaryFolder } from './directory.ts';
import { graph, graphAttribute, type ModelSpec, onnxModel } from './onnx-writer.ts';

const FLOAT = 1;
const INT64 = 7;
const BOOL = 9;
const floats = (...values: number[]) => new Uint8Array(Float32Array.from(values).buffer);

/** y = x · w, from two columns to three. */
const LINEAR: ModelSpec = {
  nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
  inputs: [{ name: 'x', type: FLOAT, shape: ['batch', 2] }],
  outputs: [{ name: 'y', type: FLOAT, shape: ['batch', 3] }],
  initializers: [{ name: 'w', type: FLOAT, shape: [2, 3], raw: floats(1, 2, 3, 4, 5, 6) }],
};

const SUM_AND_PRODUCT: ModelSpec = {
  nodes: [
    { op: 'Add', inputs: ['a', 'b'], outputs: ['sum'] },
    { op: 'Mul', inputs: ['a', 'b'], outputs: ['product'] },
  ],
  inputs: ['a', 'b'].map((name) => ({ name, type: FLOAT, shape: ['n'] })),
  outputs: ['sum', 'product'].map((name) => ({ name, type: FLOAT, shape: ['n'] })),
};

/** Counts to `turns` without an end in sight. */
const ENDLESS: ModelSpec = {
  nodes: [
    {
      op: 'Loop',
      inputs: ['turns', '', 'x'],
      outputs: ['y'],
      attributes: [
        graphAttribute(
          'body',
          graph({
            nodes: [
              { op: 'Identity', inputs: ['go'], outputs: ['on'] },
              { op: 'Add', inputs: ['v', 'v'], outputs: ['v2'] },
            ],
            inputs: [
              { name: 'turn', type: INT64, shape: [] },
              { name: 'go', type: BOOL, shape: [] },
              { name: 'v', type: FLOAT, shape: ['n'] },
            ],
            outputs: [
              { name: 'on', type: BOOL, shape: [] },
              { name: 'v2', type: FLOAT, shape: ['n'] },
            ],
          }),
        ),
      ],
    },
  ],
  inputs: [
    { name: 'turns', type: INT64, shape: [1] },
    { name: 'x', type: FLOAT, shape: ['n'] },
  ],
  outputs: [{ name: 'y', type: FLOAT, shape: ['n'] }],
};

/** Zeros of a shape that is an input. */
const ZEROS: ModelSpec = {
  nodes: [
    { op: 'ConstantOfShape', inputs: ['shape'], outputs: ['zeros'] },
    { op: 'ReduceSum', inputs: ['zeros'], outputs: ['y'] },
  ],
  inputs: [{ name: 'shape', type: INT64, shape: ['n'] }],
  outputs: [{ name: 'y', type: FLOAT, shape: [] }],
};

const base64 = (spec: ModelSpec) => onnxModel(spec).toString('base64');

describe('ONNX models', () => {
  test('are stored, shown, run with lineage, asked for in plain language and deleted', async () => {
    const { call, upload, ask, dataDir } = await openDirectory();
    const { body: model } = await call('upload_model', { name: 'linear', description: '', model_onnx: base64(LINEAR) });
    expect(model).toEqual({ uuid: expect.any(String), name: 'linear', message: 'Model uploaded successfully' });
    const shown = (await call('get_model', { name_or_uuid: 'linear' })).body;
    expect(shown).toMatchObject({
      language: 'onnx',
      code: null,
      metadata: { has_code: true, has_weights: true },
      onnx: {
        inputs: [{ name: 'x', type: 'float32', shape: ['batch', 2] }],
        outputs: [{ name: 'y', type: 'float32', shape: ['batch', 3] }],
        operators: [{ operator: 'MatMul', count: 1 }],
        custom_operators: [],
        opsets: [{ domain: 'ai.onnx', version: 17 }],
        ir_version: 8,
        parameters: 6,
        size_bytes: onnxModel(LINEAR).byteLength,
      },
    });
    const uuid = await upload(
      'rows',
      [
        [1, 1],
        [2, 0],
      ],
      { dtype: 'float32' },
    );
    const run = (await call('run_model', { model: 'linear', inputs: { x: 'rows' }, output_name: 'out' })).body;
    expect(run).toMatchObject({ success: true, name: 'out', shape: [2, 3], dtype: 'float32' });
    expect((await call('get_tensor', { name_or_uuid: 'out' })).body).toMatchObject({
      values: [
        [5, 7, 9],
        [2, 4, 6],
      ],
      metadata: { lineage: { model_uuid: model.uuid, inputs: { x: uuid }, duration_ms: expect.any(Number) } },
    });
    expect(await ask("Run model 'linear' on tensor 'rows' and call the output 'again'")).toContain(
      "Output tensor saved as 'again'",
    );
    expect(await ask('run linear on rows[0:1]')).toContain('Inference successful');
    expect(await ask('which inputs does linear need?')).toBe("Model 'linear' expects 'x' float32 (batch, 2).");
    expect((await call('delete_model', { name_or_uuid: 'linear' })).body.success).toBe(true);
    expect(readdirSync(join(dataDir, 'blobs/models'), { recursive: true }).join()).not.toContain('.onnx');
  });

  test('say what they expect when names, shapes or types are wrong', async () => {
    const { call, upload } = await openDirectory();
    await call('upload_model', { name: 'linear', description: '', model_onnx: base64(LINEAR) });
    await upload('doubles', [[1.5, 2]]);
    await upload('wide', [[1, 2, 3]], { dtype: 'float32' });
    const problem = async (inputs: unknown) => (await call('run_model', { model: 'linear', inputs })).body.message;
    expect(await problem({ x: 'doubles' })).toContain(
      "its input 'x' must be float32 (batch, 2), and tensor 'doubles' is float64 (1, 2)",
    );
    expect(await problem({ x: 'wide' })).toContain("must be float32 (batch, 2), and tensor 'wide' is float32 (1, 3)");
    expect(await problem({ z: 'wide' })).toContain("no input 'z'. It expects 'x' float32 (batch, 2)");
    expect(await problem({})).toContain("its input 'x' is missing");
  });

  test('store each of several outputs', async () => {
    const { call, upload } = await openDirectory();
    await call('upload_model', { name: 'both', description: '', model_onnx: base64(SUM_AND_PRODUCT) });
    await upload('a', [1, 2], { dtype: 'float32' });
    await upload('b', [3, 4], { dtype: 'float32' });
    const { body } = await call('run_model', { model: 'both', inputs: ['a', 'b'], output_name: 'r' });
    expect(body).toMatchObject({
      name: 'r.sum',
      outputs: [{ output: 'sum' }, { name: 'r.product', output: 'product' }],
    });
    expect((await call('get_tensor', { name_or_uuid: 'r.product' })).body).toMatchObject({
      values: [3, 8],
      metadata: { lineage: { output: 'product' } },
    });
  });

  test('with custom operators are stored with a warning, and name them instead of running', async () => {
    const { call, upload } = await openDirectory();
    const nodes = [{ op: 'Frobnicate', inputs: ['x'], outputs: ['y'], domain: 'com.example' }];
    const model_onnx = base64({ ...LINEAR, nodes, domains: ['com.example'] });
    const { body } = await call('upload_model', { name: 'odd', description: '', model_onnx });
    expect(body.warning).toContain('com.example.Frobnicate');
    await upload('rows', [[1, 1]], { dtype: 'float32' });
    const run = await call('run_model', { model: 'odd', inputs: ['rows'] });
    expect(run.body.message).toContain('com.example.Frobnicate');
  });

  test('that are damaged, cut off or something else are refused in the envelope of uploads', async () => {
    const { call } = await openDirectory();
    const whole = onnxModel(LINEAR);
    for (const bytes of [whole.subarray(0, whole.length - 20), Buffer.from('hello'), Buffer.concat([whole, whole])]) {
      const { body, isError } = await call('upload_model', {
        name: 'm',
        description: '',
        model_onnx: bytes.toString('base64'),
      });
      expect(isError).toBe(true);
      expect(body.error).toContain("Invalid model_onnx for 'm': it is not an ONNX model, or it is damaged");
    }
    const notBase64 = await call('upload_model', { name: 'm', description: '', model_onnx: '%%%' });
    expect(notBase64.body.error).toContain('base64');
    const spaces = `${' '.repeat(300_000)}%`;
    expect((await call('upload_model', { name: 'm', description: '', model_onnx: spaces })).isError).toBe(true);
    const twice = { name: 'm', description: '', model_onnx: whole.toString('base64'), model_code: 'x = 1' };
    expect((await call('upload_model', twice)).body.error).toContain('leave model_code');
  });
});

describe('import_model', () => {
  test('takes the values that are in files beside the model, and none from elsewhere', async () => {
    const root = temporaryFolder();
    const folder = join(root, 'models');
    mkdirSync(folder);
    writeFileSync(join(folder, 'weights.bin'), Buffer.concat([floats(9), floats(1, 2, 3, 4, 5, 6)]));
    writeFileSync(join(root, 'secret.bin'), floats(1, 2, 3, 4, 5, 6));
    symlinkSync(join(root, 'secret.bin'), join(folder, 'link.bin'));
    const write = (name: string, external: Record<string, string>) => {
      const initializers = [{ name: 'w', type: FLOAT, shape: [2, 3], external }];
      const bytes = onnxModel({ ...LINEAR, initializers });
      writeFileSync(join(folder, name), bytes);
      return bytes;
    };
    const { call, upload } = await openDirectory({ importRoot: [root] });
    const split = write('split.onnx', { location: 'weights.bin', offset: '4', length: '24' });
    expect((await call('import_model', { path: 'models/split.onnx' })).body).toMatchObject({ name: 'split' });
    await upload('rows', [[1, 1]], { dtype: 'float32' });
    await call('run_model', { model: 'split', inputs: ['rows'], output_name: 'out' });
    expect((await call('get_tensor', { name_or_uuid: 'out' })).body.values).toEqual([[5, 7, 9]]);
    for (const [name, external] of Object.entries({
      'above.onnx': { location: '../secret.bin' },
      'absolute.onnx': { location: join(root, 'secret.bin') },
      'link.onnx': { location: 'link.bin' },
    })) {
      write(name, external);
      expect((await call('import_model', { path: `models/${name}` })).body.message).toContain('outside its folder');
    }
    write('long.onnx', { location: 'weights.bin', offset: '4', length: '2400' });
    expect((await call('import_model', { path: 'models/long.onnx' })).body.message).toContain('beyond the end');
    const sent = await call('upload_model', { name: 's', description: '', model_onnx: split.toString('base64') });
    expect(sent.body.error).toContain('use import_model');
    expect((await call('import_model', { path: 'models/weights.bin' })).body.message).toContain('only .onnx');
  });
});

describe('the process of a model', () => {
  test('is ended at the time limit, and the next run has one of its own', async () => {
    const { call, upload } = await openDirectory();
    await call('upload_model', { name: 'endless', description: '', model_onnx: base64(ENDLESS) });
    await upload('x', [1], { dtype: 'float32' });
    await upload('many', [1e15]);
    await upload('three', [3]);
    const run = (turns: string, more = {}) =>
      call('run_model', { model: 'endless', inputs: { turns, x: 'x' }, ...more });
    expect((await run('many', { timeout_ms: 1_500 })).body.message).toContain('it took longer than 1500 ms');
    const { body } = await run('three', { output_name: 'eight' });
    expect(body).toMatchObject({ success: true });
    expect((await call('get_tensor', { name_or_uuid: 'eight' })).body.values).toEqual([8]);
  });

  test('is ended when it takes more memory than it may, and a terabyte is never had', async () => {
    const service = openService({ maxResultBytes: 2 ** 20, memoryBytes: 400 * 2 ** 20 });
    await service.uploadModel({ name: 'zeros', description: '', language: 'python', onnx: base64(ZEROS) });
    for (const [name, count] of Object.entries({ gigabyte: 2 ** 28, terabyte: 2 ** 38 }))
      await service.uploadTensor({ name, description: '', data: [count], dtype: 'int64' });
    const run = (tensor: string) => service.runModel({ model: 'zeros', inputs: [tensor] });
    await expect(run('gigabyte')).rejects.toThrow(/needs more than the allowed \d+ bytes of memory/);
    await expect(run('terabyte')).rejects.toThrow("Error during model execution for 'zeros'");
  });

  test('is said not to load without where its file is', async () => {
    const { call, upload, dataDir } = await openDirectory();
    const circle = {
      ...LINEAR,
      nodes: [
        { op: 'Add', inputs: ['y', 'x'], outputs: ['z'] },
        { op: 'Identity', inputs: ['z'], outputs: ['y'] },
      ],
    };
    await call('upload_model', { name: 'circle', description: '', model_onnx: base64(circle) });
    await upload('x', [[1, 2]], { dtype: 'float32' });
    const { text } = await call('run_model', { model: 'circle', inputs: ['x'] });
    expect(text).toContain('it cannot be loaded');
    expect(text).not.toContain(dataDir);
  });

  test('may have WebAssembly instead of the native runtime', async () => {
    const service = openService({ maxResultBytes: 2 ** 20, runtime: 'wasm' });
    await service.uploadModel({ name: 'linear', description: '', language: 'python', onnx: base64(LINEAR) });
    await service.uploadTensor({ name: 'x', description: '', data: [[1, 1]], dtype: 'float32' });
    const { uuid } = await service.runModel({ model: 'linear', inputs: ['x'] });
    expect((await service.getTensor(uuid, undefined, 10)).values).toEqual([[5, 7, 9]]);
  });
});

test('bytes that are changed anywhere give a model or a named fault, never a crash', () => {
  const whole = onnxModel({ ...ENDLESS, initializers: LINEAR.initializers! });
  const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255), length: fc.nat(whole.length) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
      const bytes = Buffer.from(whole);
      for (const { at, byte } of changes) bytes[at] = byte;
      try {
        readOnnx(bytes.subarray(0, changes[0]!.length));
        readOnnx(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(FormatError);
      }
    }),
    { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
  );
});

function openService(options: ProcessOnnxOptions): TensorDirectoryService {
  const settings = { ...loadConfig(configDefinition).config, dataDir: temporaryFolder() };
  const backends = chooseBackends(settings, silentLogger);
  const onnx = new ProcessOnnxRunner(options);
  const service = new TensorDirectoryService({ ...backends, onnx }, settings);
  onTestFinished(async () => {
    await onnx.close();
    await service.close();
  });
  return service;
}
