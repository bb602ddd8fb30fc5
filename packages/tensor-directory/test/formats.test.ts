import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FileFault } from '../src/domain/formats/file-fault.ts';
import { formatOf } from '../src/domain/formats/formats.ts';
import { openDirectory, temporaryFolder } from './directory.ts';

// The files in fixtures/ were made with PyTorch 1.13, SciPy, Pillow and onnx:
//   base = torch.arange(6, dtype=torch.float32).reshape(2, 3)
//   torch.save({'model': OrderedDict(weight=base, transposed=base.t(), row=base[1], bf=torch.tensor([1.5, -3.0], dtype=torch.bfloat16),
//     half=torch.tensor([1.5, -2.0], dtype=torch.float16), flag=torch.tensor([True, False]), scalar=torch.tensor(7), empty=torch.zeros(0, 3),
//     parameter=torch.nn.Parameter(torch.tensor([0.25]))), 'epoch': 3, 'history': [torch.tensor([1, 2], dtype=torch.int16), {'lr': 0.1}]}, 'checkpoint.pt')
//   torch.save(torch.nn.Linear(2, 1).state_dict(), 'state.pth'); torch.save(torch.nn.Linear(2, 1), 'module.pt')
//   torch.save({'c': torch.tensor([1 + 2j])}, 'complex.pt')
//   negated.pt: {'v': torch.conj(torch.tensor([1 + 2j])).imag}, with the {'neg': True} that PyTorch 2 adds put into its pickle by hand
//   evil.pt: a dictionary with an object whose __reduce__ returns (os.system, ('echo never',))
//   savemat('plain.mat', {'m': np.arange(6.).reshape(2, 3), 'i': np.array([[1, -2]], np.int16), 'b': np.array([[True, False]]), 'name': 'text',
//     's': {'a': 1}, 'z': np.array([[1 + 2j]]), 'cube': np.arange(8, dtype=np.int64).reshape(2, 2, 2)}); packed.mat: m alone, do_compression=True
//   rgb = np.arange(24, dtype=np.uint8).reshape(2, 4, 3) * 10, as rgb.png, palette.png, and its first channel as gray.png;
//   wide.png: [[0, 1000], [40000, 65535]] in uint16; bits.png: [[True, False, True]]
//   weights.onnx: make_tensor of listed FLOAT [1.5, 2.5], whole INT64 [-1, 2], small INT8 [-1, 2], half FLOAT16 [1.5]; raw float64 arange(4)
//   bfloat.onnx: make_tensor of bf BFLOAT16 [1.5, -3.0], which onnx writes as integers
const fixtures = join(import.meta.dirname, 'fixtures');

async function openWith(...files: string[]) {
  const root = temporaryFolder();
  for (const file of files) copyFileSync(join(fixtures, file), join(root, file));
  const directory = await openDirectory({ importRoot: [root] });
  return {
    ...directory,
    root,
    load: async (path: string) => (await directory.call('import_tensors', { path })).body,
    values: async (name: string) => (await directory.call('get_tensor', { name_or_uuid: name })).body,
  };
}

describe('PyTorch files', () => {
  test('give the tensors of dictionaries and lists, views and all', async () => {
    const { load, values } = await openWith('checkpoint.pt');
    const { tensors } = (await load('checkpoint.pt')) as {
      tensors: { name: string; shape: number[]; dtype: string }[];
    };
    expect(tensors.map(({ name, shape, dtype }) => `${name} ${dtype} ${shape}`)).toEqual([
      'checkpoint.model.weight float32 2,3',
      'checkpoint.model.transposed float32 3,2',
      'checkpoint.model.row float32 3',
      'checkpoint.model.bf float32 2',
      'checkpoint.model.half float16 2',
      'checkpoint.model.flag bool 2',
      'checkpoint.model.scalar int64 ',
      'checkpoint.model.empty float32 0,3',
      'checkpoint.model.parameter float32 1',
      'checkpoint.history.0 int16 2',
    ]);
    expect((await values('checkpoint.model.transposed')).values).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
    expect((await values('checkpoint.model.row')).values).toEqual([3, 4, 5]);
    expect((await values('checkpoint.model.bf')).values).toEqual([1.5, -3]);
    expect((await values('checkpoint.model.scalar')).values).toBe(7);
    expect((await values('checkpoint.history.0')).values).toEqual([1, 2]);
  });

  test('that ask for code are refused by its name, and nothing of them is run', async () => {
    const { load, call } = await openWith('module.pt', 'evil.pt', 'complex.pt', 'negated.pt', 'state.pth');
    expect((await load('evil.pt')).message).toContain("it asks for 'posix.system', which is not allowed");
    expect((await load('module.pt')).message).toMatch(/'torch\.nn\.modules\.linear\.Linear'|opcode NEWOBJ/);
    expect((await load('complex.pt')).message).toContain('complex numbers');
    expect((await load('negated.pt')).message).toContain('negated or conjugated view');
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(0);
    expect((await load('state.pth')).tensors).toMatchObject([
      { name: 'state.weight', shape: [1, 2] },
      { name: 'state.bias', shape: [1] },
    ]);
  });

  test('of other kinds are told what to do', async () => {
    const { load, root } = await openWith();
    writeFileSync(join(root, 'old.pt'), Buffer.from('\x80\x02\x8a\x0alF', 'latin1'));
    expect((await load('old.pt')).message).toContain('save it again with torch.save');
  });
});

test('MATLAB files give their arrays of numbers and name the rest', async () => {
  const { load, values } = await openWith('plain.mat', 'packed.mat');
  const { tensors, skipped } = await load('plain.mat');
  expect((tensors as { name: string }[]).map(({ name }) => name)).toEqual([
    'plain.m',
    'plain.i',
    'plain.b',
    'plain.cube',
  ]);
  expect(skipped).toEqual(['name (char)', 's (struct)', 'z (complex numbers, which cannot be stored)']);
  const m = [
    [0, 1, 2],
    [3, 4, 5],
  ];
  expect(await values('plain.m')).toMatchObject({ values: m, dtype: 'float64' });
  expect(await values('plain.i')).toMatchObject({ values: [[1, -2]], dtype: 'int16' });
  expect(await values('plain.b')).toMatchObject({ values: [[true, false]], dtype: 'bool' });
  expect((await values('plain.cube')).values).toEqual([
    [
      [0, 1],
      [2, 3],
    ],
    [
      [4, 5],
      [6, 7],
    ],
  ]);
  await load('packed.mat');
  expect((await values('packed.m')).values).toEqual(m);
});

test('pictures become arrays of their samples', async () => {
  const { load, values } = await openWith('rgb.png', 'gray.png', 'wide.png', 'palette.png', 'bits.png');
  for (const name of ['rgb', 'gray', 'wide', 'palette', 'bits'])
    expect(await load(`${name}.png`)).toHaveProperty('tensors');
  const rgb = [0, 1].map((y) => [0, 1, 2, 3].map((x) => [0, 1, 2].map((c) => (y * 12 + x * 3 + c) * 10)));
  expect(await values('rgb')).toMatchObject({ values: rgb, dtype: 'uint8' });
  expect((await values('gray')).values).toEqual(rgb.map((row) => row.map(([red]) => red)));
  expect((await values('palette')).values).toEqual(rgb);
  expect(await values('bits')).toMatchObject({ values: [[1, 0, 1]] });
  expect(await values('wide')).toMatchObject({
    values: [
      [0, 1000],
      [40000, 65535],
    ],
    dtype: 'uint16',
  });
});

test('the weights of an ONNX model become tensors, however they are written', async () => {
  const { load, values } = await openWith('weights.onnx', 'bfloat.onnx');
  await load('weights.onnx');
  await load('bfloat.onnx');
  expect(await values('bfloat.bf')).toMatchObject({ values: [1.5, -3], dtype: 'float32' });
  expect(await values('weights.listed')).toMatchObject({ values: [1.5, 2.5], dtype: 'float32' });
  expect(await values('weights.whole')).toMatchObject({ values: [-1, 2], dtype: 'int64' });
  expect(await values('weights.small')).toMatchObject({ values: [-1, 2], dtype: 'int8' });
  expect(await values('weights.half')).toMatchObject({ values: [1.5], dtype: 'float16' });
  expect(await values('weights.raw')).toMatchObject({
    values: [
      [0, 1],
      [2, 3],
    ],
    dtype: 'float64',
  });
});

describe('damaged files', () => {
  test.each(['checkpoint.pt', 'plain.mat', 'packed.mat', 'rgb.png', 'weights.onnx'])(
    '%s gives tensors that fit or a named fault',
    (name) => {
      const whole = readFileSync(join(fixtures, name));
      const format = formatOf(name.slice(name.lastIndexOf('.')));
      const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
      const damage = fc.record({ changes: fc.array(change, { maxLength: 6 }), cut: fc.option(fc.nat(whole.length)) });
      fc.assert(
        fc.property(damage, ({ changes, cut }) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) bytes[at] = value;
          try {
            const { tensors } = format.read(bytes.subarray(0, cut ?? bytes.length), { maxBytes: 2 ** 20 });
            for (const { tensor } of tensors) expect(tensor.data.byteLength).toBeLessThanOrEqual(2 ** 20);
          } catch (error) {
            if (!(error instanceof FileFault)) throw error;
          }
        }),
        { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
      );
    },
  );

  test('every cut of a file is noticed or leaves what it holds as it was', () => {
    const whole = readFileSync(join(fixtures, 'checkpoint.pt'));
    for (let cut = 1; cut < whole.length; cut += 97)
      expect(() => formatOf('.pt').read(whole.subarray(0, cut), { maxBytes: 2 ** 20 })).toThrow(FileFault);
  });
});
