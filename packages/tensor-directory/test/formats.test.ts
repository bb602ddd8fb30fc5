import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseParquet } from '../src/backends/parsers/parquet.ts';
import { parseTiff } from '../src/backends/parsers/tiff.ts';
import { formatOf } from '../src/domain/formats/formats.ts';
import { torch } from '../src/domain/formats/torch.ts';
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
// Made with PyArrow, h5py, Pillow and tifffile:
//   columns.parquet (zstd), columns.feather (LZ4) and columns.arrow (zstd) hold the same three rows: one column of each type below;
//   blocks.feather: {'x': np.repeat(np.arange(4), 10000)}, which takes several LZ4 blocks; text.parquet: columns of text and dates
//   groups.h5: a = np.arange(6.).reshape(2, 3); net/w = np.arange(8, dtype='>i2').reshape(2, 2, 2), chunked, shuffled, gzip; net/flag, net/half,
//     net/n = np.uint64(2**63 + 1); name = 'text'; z complex; c compound; ext = ExternalLink('/etc/passwd', 'x'); loop = SoftLink('/'); empty (0, 3)
//   rgb.jpg 16×16, gray.jpeg 8×8 of 128; float.tif: np.arange(6, dtype=np.float32).reshape(2, 3) / 4; rgb.tif: rgb, LZW with predictor;
//   stack.tiff: np.arange(24, dtype=np.uint16).reshape(3, 2, 4) * 1000
//   kinds.h5 (with a user block of 512 bytes) and kinds-latest.h5 (libver='latest'): bf, a float of 2 bytes set_fields(15, 7, 8, 0, 7) and bias 127;
//     odd, one with set_fields(15, 9, 6, 0, 9); bits, int16 with precision 12 and offset 2; typed, of the named type, with 40 attributes;
//     plain '>f8'; a virtual dataset and an external one whose files are elsewhere
//   predictor-big.tif: uint16, zlib, predictor, byteorder='>'; lerc.tif: rgb; long.tif: uint64; lzma.tif: uint16
//   clear.png: a palette of three colours with transparency=bytes([0, 128]); dictionary.feather: two columns of dictionary_encode()
//   mixed.npz: a = np.arange(3), labels = ['x', 'yy'], day M8[D], rows a record, z complex; mixed.safetensors: a and z; mixed.onnx: a, words STRING,
//     quarter INT4, thin sparse; training.pt (PyTorch 2.5): w, e4 and e5 float8, z complex, curve np.arange(3.), best np.float64(1.5), device, a set, and
//     args = defaultdict(list, w=w)
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
      'checkpoint.model.bf bfloat16 2',
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
    const { load, call } = await openWith('module.pt', 'evil.pt', 'negated.pt', 'state.pth');
    expect((await load('evil.pt')).message).toContain("it asks for 'posix.system', which is not allowed");
    expect((await load('module.pt')).message).toMatch(/'torch\.nn\.modules\.linear\.Linear'|opcode NEWOBJ/);
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

test('complex numbers become pairs of real and imaginary part, in every format, and the answer names them', async () => {
  const files = ['complex.pt', 'plain.mat', 'mixed.npz', 'mixed.safetensors', 'training.pt', 'groups.h5'];
  const { load, values, call } = await openWith(...files);
  const got: Record<string, unknown> = {};
  for (const file of files) {
    const { complex } = (await load(file)) as { complex: string[] };
    for (const name of complex) {
      const { values: pairs, dtype, shape } = await values(name);
      got[name] = [dtype, shape, pairs];
    }
  }
  expect(got).toEqual({
    'complex.c': ['float32', [1, 2], [[1, 2]]],
    'plain.z': ['float64', [1, 1, 2], [[[1, 2]]]],
    'mixed.z': ['float32', [1, 2], [[1, 2]]],
    'training.z': ['float32', [1, 2], [[1, 2]]],
    'groups.z': ['float64', [1, 2], [[1, 2]]],
  });
  expect(JSON.stringify((await call('list_tensors')).body)).toContain(
    'Imported from complex.pt (complex numbers: the last axis holds real and imaginary parts)',
  );
});

test('complex numbers of NumPy keep their order, whichever it is in the file', async () => {
  const { load, values, root } = await openWith();
  const doubles = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  const npy = (descr: string, order: string, data: Buffer) => {
    const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': (2, 3), }`.padEnd(117);
    const head = Buffer.concat([Buffer.from('\x93NUMPY\x01\x00\x76\x00', 'latin1'), Buffer.from(`${text}\n`)]);
    return Buffer.concat([head, data]);
  };
  const little = Buffer.from(Float64Array.from(doubles).buffer);
  const rows = [
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
    [
      [7, 8],
      [9, 10],
      [11, 12],
    ],
  ];
  writeFileSync(join(root, 'c.npy'), npy('<c16', 'False', little));
  expect(await load('c.npy')).toMatchObject({ complex: ['c'], tensors: [{ shape: [2, 3, 2], dtype: 'float64' }] });
  expect((await values('c')).values).toEqual(rows);
  writeFileSync(join(root, 'big.npy'), npy('>c8', 'False', Buffer.from(Float32Array.from(doubles).buffer).swap32()));
  await load('big.npy');
  expect(await values('big')).toMatchObject({ values: rows, dtype: 'float32' });
  writeFileSync(join(root, 'columns.npy'), npy('<c16', 'True', little));
  await load('columns.npy');
  expect((await values('columns')).values).toEqual([
    [
      [1, 2],
      [5, 6],
      [9, 10],
    ],
    [
      [3, 4],
      [7, 8],
      [11, 12],
    ],
  ]);
  const element = (type: number, data: Buffer) =>
    Buffer.concat([Buffer.from(Uint32Array.of(type, data.length).buffer), data, Buffer.alloc(-data.length & 7)]);
  const part = (...values: number[]) => element(9, Buffer.from(Float64Array.from(values).buffer));
  const sizes = Buffer.from(Int32Array.of(2, 2).buffer);
  const flags = Buffer.from(Uint32Array.of(6 | (8 << 8), 0).buffer);
  const matrix = [
    element(6, flags),
    element(5, sizes),
    element(1, Buffer.from('z')),
    part(1, 3, 2, 4),
    part(10, 30, 20, 40),
  ];
  const head = Buffer.alloc(128, ' ');
  head.write('MATLAB 5.0 MAT-file');
  head.writeUInt16LE(0x0100, 124);
  head.write('IM', 126, 'latin1');
  writeFileSync(join(root, 'm.mat'), Buffer.concat([head, element(14, Buffer.concat(matrix))]));
  expect(await load('m.mat')).toMatchObject({ complex: ['m.z'] });
  expect((await values('m.z')).values).toEqual([
    [
      [1, 10],
      [2, 20],
    ],
    [
      [3, 30],
      [4, 40],
    ],
  ]);
  writeFileSync(join(root, 'cut.npy'), npy('<c16', 'False', little.subarray(8)));
  expect((await load('cut.npy')).message).toContain('it ends before its values do');
});

test('MATLAB files give their arrays of numbers and name the rest', async () => {
  const { load, values } = await openWith('plain.mat', 'packed.mat');
  const { tensors, skipped } = await load('plain.mat');
  expect((tensors as { name: string }[]).map(({ name }) => name)).toEqual([
    'plain.m',
    'plain.i',
    'plain.b',
    'plain.z',
    'plain.cube',
  ]);
  expect(skipped).toEqual(['name (char)', 's (struct)']);
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
  expect(await values('bfloat.bf')).toMatchObject({ values: [1.5, -3], dtype: 'bfloat16' });
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

const COLUMNS = {
  f32: ['float32', [1.5, 'NaN', -2]],
  f64: ['float64', [0.1, 0.2, 0.3]],
  half: ['float16', [1.5, -2, 0]],
  i8: ['int8', [1, -2, 3]],
  u16: ['uint16', [1, 2, 65535]],
  u32: ['uint32', [1, 2, 4294967295]],
  i64: ['int64', [1, 2, '1152921504606846976']],
  u64: ['uint64', [1, 2, '9223372036854775809']],
  gaps: ['float64', [1, 'NaN', 3]],
  flag: ['bool', [true, false, true]],
  vector: [
    'float32',
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  ],
  fixed: [
    'int16',
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  ],
} as const;

test('bfloat16 and float8 are kept as they are, and shown and computed with as float32', async () => {
  const { root, load, values, call } = await openWith();
  const tensors = {
    bf: ['BF16', [0xc0, 0x3f, 0x40, 0xc0, 0xc0, 0x7f], [1.5, -3, 'NaN']],
    e4: ['F8_E4M3', [0x38, 0x7e, 0x81, 0x7f], [1, 448, -(2 ** -9), 'NaN']],
    e5: ['F8_E5M2', [0x3c, 0x7b, 0x01, 0xfc], [1, 57_344, 2 ** -16, '-Infinity']],
  } as const;
  let at = 0;
  const entries = Object.entries(tensors).map(([key, [dtype, bytes, shown]]) => {
    at += bytes.length;
    return [key, { dtype, shape: [shown.length], data_offsets: [at - bytes.length, at] }] as const;
  });
  const json = Buffer.from(JSON.stringify(Object.fromEntries(entries)));
  const size = Buffer.alloc(8);
  size.writeUInt32LE(json.length);
  const body = Object.values(tensors).map(([, bytes]) => Uint8Array.from(bytes));
  writeFileSync(join(root, 'w.safetensors'), Buffer.concat([size, json, ...body]));
  expect(await load('w.safetensors')).toMatchObject({
    tensors: [{ dtype: 'bfloat16' }, { dtype: 'float8_e4m3fn' }, { dtype: 'float8_e5m2' }],
  });
  for (const [key, [, bytes, shown]] of Object.entries(tensors)) {
    expect((await values(`w.${key}`)).values).toEqual(shown);
    for (const format of ['safetensors', 'npy']) {
      const { path } = (await call('export_tensor', { name_or_uuid: `w.${key}`, format })).body as { path: string };
      expect(readFileSync(path).subarray(-bytes.length)).toEqual(Buffer.from(bytes));
      copyFileSync(path, join(root, `again.${format}`));
      const { tensors: again } = (await load(`again.${format}`)) as { tensors: { uuid: string; dtype: string }[] };
      expect((await call('compare_tensors', { a: `w.${key}`, b: again[0]!.uuid })).body).toMatchObject({
        equal: true,
        same_dtype: true,
      });
    }
  }
  const half = { name_or_uuid: 'w.bf', steps: [{ do: 'slice', slice: ':2' }], output_name: 'part' };
  expect((await call('transform_tensor', half)).body).toMatchObject({ dtype: 'bfloat16' });
  expect(
    (await call('transform_tensor', { name_or_uuid: 'part', steps: ['a * 2'], output_name: 'twice' })).body,
  ).toMatchObject({ dtype: 'float32' });
  expect((await values('twice')).values).toEqual([3, -6]);
  const code =
    'function predict({ x }) { return { dtype: x.dtype, shape: x.shape, data: x.data.map((value) => -value) }; }';
  await call('upload_model', { name: 'minus', description: '', model_code: code, language: 'javascript' });
  expect((await call('run_model', { model: 'minus', inputs: { x: 'part' }, output_name: 'out' })).body).toMatchObject({
    dtype: 'float32',
  });
  expect((await values('out')).values).toEqual([-1.5, 3]);
  expect((await call('search_tensors', { dtype: 'bfloat16' })).body.total_items_in_collection).toBe(4);
  expect((await call('describe_tensor', { name_or_uuid: 'w.e5' })).body).toMatchObject({
    statistics: { max: 57_344, inf_count: 1 },
  });
});

test('arrays that no tensor can hold are left out of archives and named, and the others are read', async () => {
  const { load, values, root } = await openWith('mixed.npz', 'mixed.safetensors', 'mixed.onnx', 'training.pt');
  expect(await load('mixed.npz')).toMatchObject({
    tensors: [{ name: 'mixed.a', shape: [3] }, { name: 'mixed.z' }],
    skipped: ['labels (text)', 'day (dates)', 'rows (records)'],
  });
  expect(await load('mixed.safetensors')).toMatchObject({
    tensors: [{ name: 'mixed.a', shape: [3] }, { name: 'mixed.z' }],
  });
  expect(await load('mixed.onnx')).toMatchObject({
    tensors: [{ name: 'mixed.a', shape: [3] }],
    skipped: ['words (string)', 'quarter (int4)', 'thin (sparse)'],
  });
  const { tensors, skipped } = await load('training.pt');
  expect((tensors as { name: string; dtype: string }[]).map(({ name, dtype }) => `${name} ${dtype}`)).toEqual([
    'training.w float32',
    'training.e4 float8_e4m3fn',
    'training.e5 float8_e5m2',
    'training.z float32',
    'training.args.w float32',
  ]);
  expect(skipped).toEqual(['curve (NumPy array)']);
  expect((await values('training.e4')).values).toEqual([1.5, 448]);
  expect((await values('training.e5')).values).toEqual([1.5, -2]);
  writeFileSync(join(root, 'mixed.npz'), readFileSync(join(root, 'mixed.npz')).subarray(0, -1));
  expect(await load('mixed.npz')).toMatchObject({ success: false });
});

test('a transparent palette gives a fourth channel', async () => {
  const { load, values } = await openWith('clear.png');
  await load('clear.png');
  expect(await values('clear')).toMatchObject({
    shape: [1, 3, 4],
    values: [
      [
        [10, 20, 30, 0],
        [40, 50, 60, 128],
        [70, 80, 90, 255],
      ],
    ],
  });
});

describe('files that libraries read', () => {
  test.each(['kinds', 'kinds-latest'])('%s.h5: numbers of unusual kinds are read right or left out', async (name) => {
    const { load, values } = await openWith(`${name}.h5`);
    expect(await load(`${name}.h5`)).toMatchObject({
      tensors: [
        { name: `${name}.bf`, dtype: 'bfloat16' },
        { name: `${name}.plain`, dtype: 'float64' },
        { name: `${name}.typed`, dtype: 'int16' },
      ],
      skipped: [
        'bits (integers of an unusual kind)',
        'external (its values are in another file)',
        'named (a type)',
        'odd (floats of an unusual kind)',
        'virtual (virtual, its values are in other files)',
      ],
    });
    expect((await values(`${name}.bf`)).values).toEqual([1.5, -3, 256]);
    expect((await values(`${name}.plain`)).values).toEqual([1.5, -2]);
    expect((await values(`${name}.typed`)).values).toEqual([1, -2]);
  });

  test.each([
    ['predictor-big.tif', 'it is big-endian and has a predictor'],
    ['lerc.tif', 'LERC with several channels is not supported'],
    ['long.tif', 'its samples of 64 bits cannot be read'],
    ['lzma.tif', 'its compression, number 34925, is not supported'],
  ])('%s is refused, as the library would give other numbers or none', async (name, why) => {
    const { load } = await openWith(name);
    expect((await load(name)).message).toContain(why);
  });

  test('a column of codes for numbers in Feather gives the numbers', async () => {
    const { load, values } = await openWith('dictionary.feather');
    expect((await load('dictionary.feather')).skipped).toEqual(['t (text)']);
    expect(await values('dictionary.d')).toMatchObject({ dtype: 'int64', values: [10, 20, 10] });
  });

  test.each(['parquet', 'feather', 'arrow'])(
    'columns of numbers in .%s become tensors, and the rest is named',
    async (kind) => {
      const { load, values } = await openWith(`columns.${kind}`);
      const { tensors, skipped } = await load(`columns.${kind}`);
      expect((tensors as { name: string }[]).map(({ name }) => name)).toEqual(
        Object.keys(COLUMNS).map((key) => `columns.${key}`),
      );
      for (const [key, [dtype, cells]] of Object.entries(COLUMNS))
        expect(await values(`columns.${key}`), key).toMatchObject({ dtype, values: cells });
      expect((skipped as string[]).map((each) => each.replace(/\(struct\)/, '(nested values)'))).toEqual([
        'ragged (lists of different lengths)',
        'name (text)',
        'day (date)',
        'when (timestamp)',
        'cost (decimal)',
        'st (nested values)',
      ]);
    },
  );

  test('HDF5 gives the datasets of all groups, and links lead out of nothing', async () => {
    const { load, values } = await openWith('groups.h5', 'blocks.feather');
    const { tensors, skipped } = await load('groups.h5');
    expect(
      (tensors as { name: string; shape: number[]; dtype: string }[]).map(
        ({ name, shape, dtype }) => `${name} ${dtype} ${shape}`,
      ),
    ).toEqual([
      'groups.a float64 2,3',
      'groups.empty float32 0,3',
      'groups.net.flag bool 2',
      'groups.net.half float16 2',
      'groups.net.n uint64 ',
      'groups.net.w int16 2,2,2',
      'groups.z float64 1,2',
    ]);
    expect(skipped).toEqual(['c (compound)', 'ext (link)', 'loop (link)', 'name (text)']);
    expect((await values('groups.net.w')).values).toEqual([
      [
        [0, 1],
        [2, 3],
      ],
      [
        [4, 5],
        [6, 7],
      ],
    ]);
    expect((await values('groups.net.half')).values).toEqual([1.5, -2]);
    await load('blocks.feather');
    expect((await values('blocks.x')).values).toEqual(Array.from({ length: 10_000 }, () => 0));
  });

  test('JPEG and TIFF become arrays of their samples, pages first', async () => {
    const { load, values } = await openWith('rgb.jpg', 'gray.jpeg', 'rgb.tif', 'float.tif', 'stack.tiff');
    expect(await load('rgb.jpg')).toMatchObject({ tensors: [{ shape: [16, 16, 3], dtype: 'uint8' }] });
    await load('gray.jpeg');
    expect((await values('gray')).values).toEqual(
      Array.from({ length: 8 }, () => Array.from({ length: 8 }, () => 128)),
    );
    await load('rgb.tif');
    expect((await values('rgb')).values).toEqual(
      [0, 1].map((y) => [0, 1, 2, 3].map((x) => [0, 1, 2].map((c) => (y * 12 + x * 3 + c) * 10))),
    );
    await load('float.tif');
    expect(await values('float')).toMatchObject({
      dtype: 'float32',
      values: [
        [0, 0.25, 0.5],
        [0.75, 1, 1.25],
      ],
    });
    expect(await load('stack.tiff')).toMatchObject({ tensors: [{ shape: [3, 2, 4], dtype: 'uint16' }] });
    expect(((await values('stack')).values as number[][][])[2]![1]).toEqual([20_000, 21_000, 22_000, 23_000]);
  });

  test('that are cut off, of another kind or without numbers are refused in a sentence', async () => {
    const { load, root, call } = await openWith('text.parquet');
    expect((await load('text.parquet')).message).toContain(
      'it has no columns of numbers; it has name (text), day (date)',
    );
    for (const name of ['columns.parquet', 'columns.feather', 'groups.h5', 'rgb.jpg', 'float.tif']) {
      const whole = readFileSync(join(fixtures, name));
      writeFileSync(join(root, name), whole.subarray(0, Math.floor(whole.length / 2)));
      expect((await load(name)).message, name).toMatch(/it is damaged|it ends early|is damaged$/);
      writeFileSync(join(root, name), 'not what its name says');
      expect((await load(name)).message, name).toMatch(/it is not a \w+/);
    }
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(0);
  });

  test('that ask for more than is allowed are refused before they are decoded', async () => {
    const { load, root, values } = await openWith('float.tif');
    // An image of 60,000 × 60,000 samples without any data.
    const huge = readFileSync(join(root, 'float.tif'));
    for (const [tag, value] of [
      [256, 60_000],
      [257, 60_000],
    ] as const) {
      const at = huge.indexOf(Buffer.from(Uint16Array.of(tag).buffer));
      huge.writeUInt16LE(4, at + 2);
      huge.writeUInt32LE(value, at + 8);
    }
    writeFileSync(join(root, 'huge.tif'), huge);
    expect((await load('huge.tif')).message).toContain('its 60000×60000 pixels take more than the allowed');
    await load('float.tif');
    expect((await values('float')).shape).toEqual([2, 3]);
  });

  test('a Parquet schema that counts fewer than no fields is refused, and does not hold up the server', async () => {
    const bytes = new Uint8Array(readFileSync(join(fixtures, 'columns.parquet')));
    // How many fields the list has: one, as the format writes signed numbers. The value written instead is minus one.
    expect(bytes[2031]).toBe(2);
    bytes[2031] = 1;
    const file = { sizeBytes: bytes.length, read: (from: number, to: number) => bytes.slice(from, to).buffer };
    await expect(parseParquet(file, 2 ** 20)).rejects.toThrow("its schema says that 'vector' has -1 fields");
  });

  test.each([
    ['columns.parquet', parseParquet],
    ['rgb.tif', parseTiff],
  ] as const)('%s gives tensors that fit when it is damaged, or an error', async (name, parse) => {
    const whole = readFileSync(join(fixtures, name));
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = new Uint8Array(whole);
        for (const [at, value] of changes) bytes[at] = value;
        const file = { sizeBytes: bytes.length, read: (from: number, to: number) => bytes.slice(from, to).buffer };
        const found = await parse(file, 2 ** 20).catch(() => ({ tensors: [] }));
        for (const { tensor } of found.tensors)
          expect(tensor.data.byteLength).toBe(bytesOf(tensor.dtype, tensor.shape));
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 50) },
    );
  });
});

describe('damaged files', () => {
  test.each(['checkpoint.pt', 'plain.mat', 'packed.mat', 'rgb.png', 'weights.onnx'])(
    '%s gives tensors that fit or a named fault',
    (name) => {
      const whole = readFileSync(join(fixtures, name));
      const format = formatOf(name.slice(name.lastIndexOf('.')));
      if (typeof format === 'string') throw new Error(format);
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
            if (!(error instanceof FormatError)) throw error;
          }
        }),
        { numRuns: Number(process.env.FUZZ_RUNS ?? 300) },
      );
    },
  );

  test('every cut of a file is noticed or leaves what it holds as it was', () => {
    const whole = readFileSync(join(fixtures, 'checkpoint.pt'));
    for (let cut = 1; cut < whole.length; cut += 97)
      expect(() => torch.read(whole.subarray(0, cut), { maxBytes: 2 ** 20 })).toThrow(FormatError);
  });
});
