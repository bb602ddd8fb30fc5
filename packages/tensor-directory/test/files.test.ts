import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { silentLogger } from '@atoll-mcp/core';
import { loadConfig } from '@atoll-mcp/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chooseBackends } from '../src/backends/choose.ts';
import { configDefinition } from '../src/config.ts';
import { torch } from '../src/domain/formats/torch.ts';
import { TensorDirectoryService } from '../src/service.ts';
import { openDirectory, temporaryFolder } from './directory.ts';

/** Written by the Python package `safetensors` 0.8.0. */
const SAFETENSORS =
  'WAEAAAAAAAB7Il9fbWV0YWRhdGFfXyI6eyJmb3JtYXQiOiJucCJ9LCJsYXllci5iaWFzIjp7ImR0eXBlIjoiSTY0Iiwic2hhcGUiOlszXSwiZGF0YV9vZmZzZXRzIjpbMCwyNF19LCJsYXllci53ZWlnaHQiOnsiZHR5cGUiOiJGMzIiLCJzaGFwZSI6WzIsM10sImRhdGFfb2Zmc2V0cyI6WzI0LDQ4XX0sImhhbGYiOnsiZHR5cGUiOiJGMTYiLCJzaGFwZSI6WzJdLCJkYXRhX29mZnNldHMiOls0OCw1Ml19LCJzY2FsYXIiOnsiZHR5cGUiOiJVOCIsInNoYXBlIjpbXSwiZGF0YV9vZmZzZXRzIjpbNTIsNTNdfSwibWFzayI6eyJkdHlwZSI6IkJPT0wiLCJzaGFwZSI6WzJdLCJkYXRhX29mZnNldHMiOls1Myw1NV19fSAgICAgIAEAAAAAAAAA/v////////8DAAAAAAAAAAAAAAAAAIA+AAAAPwAAQD8AAIA/AACgPwA4/3sHAQA=';

async function openWithRoot() {
  const root = temporaryFolder();
  const directory = await openDirectory({ importRoot: [root] });
  const read = async (name: string) => (await directory.call('get_tensor', { name_or_uuid: name })).body;
  const importFile = async (path: string, more = {}) =>
    (await directory.call('import_tensors', { path, ...more })).body;
  return { ...directory, root, read, importFile };
}

/** A header as NumPy writes it, and values after it. */
function npy(descr: string, shape: string, values: Uint8Array, order = 'False'): Buffer {
  const dictionary = `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }`.padEnd(117);
  const head = Buffer.from(`\x93NUMPY\x01\x00\x00\x00${dictionary}\n`, 'latin1');
  head.writeUInt16LE(118, 8);
  return Buffer.concat([head, values]);
}

describe('imports', () => {
  test('a safetensors file of another implementation is read tensor by tensor', async () => {
    const { root, importFile, read } = await openWithRoot();
    writeFileSync(join(root, 'net.safetensors'), Buffer.from(SAFETENSORS, 'base64'));
    const body = await importFile('net.safetensors', { description: 'from elsewhere' });
    expect((body.tensors as { name: string }[]).map(({ name }) => name).sort()).toEqual([
      'net.half',
      'net.layer.bias',
      'net.layer.weight',
      'net.mask',
      'net.scalar',
    ]);
    expect(await read('net.layer.weight')).toMatchObject({
      dtype: 'float32',
      values: [
        [0, 0.25, 0.5],
        [0.75, 1, 1.25],
      ],
      metadata: { description: 'from elsewhere' },
    });
    expect(await read('net.layer.bias')).toMatchObject({ dtype: 'int64', values: [1, -2, 3] });
    expect(await read('net.half')).toMatchObject({ dtype: 'float16', values: [0.5, 65504] });
    expect(await read('net.mask')).toMatchObject({ dtype: 'bool', values: [true, false] });
    expect(await read('net.scalar')).toMatchObject({ dtype: 'uint8', shape: [], values: 7 });
  });

  test('brain floats are shown without loss', async () => {
    const { root, importFile, read } = await openWithRoot();
    const header = Buffer.from(JSON.stringify({ x: { dtype: 'BF16', shape: [2], data_offsets: [0, 4] } }));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    writeFileSync(join(root, 'b.safetensors'), Buffer.concat([length, header, Buffer.from([0xc0, 0x3f, 0x00, 0xc0])]));
    await importFile('b.safetensors');
    expect(await read('b.x')).toMatchObject({ dtype: 'bfloat16', values: [1.5, -2] });
  });

  test('an empty tensor may be listed after the one at its place', async () => {
    const { root, importFile, read } = await openWithRoot();
    const entries = {
      full: { dtype: 'U8', shape: [2], data_offsets: [0, 2] },
      empty: { dtype: 'F32', shape: [0, 3], data_offsets: [0, 0] },
    };
    const header = Buffer.from(JSON.stringify(entries));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    writeFileSync(join(root, 'e.safetensors'), Buffer.concat([length, header, Buffer.from([7, 8])]));
    expect(await importFile('e.safetensors')).toMatchObject({ success: true });
    expect(await read('e.full')).toMatchObject({ values: [7, 8] });
    expect(await read('e.empty')).toMatchObject({ shape: [0, 3], values: [] });
  });

  test('big-endian and column-major arrays are turned round', async () => {
    const { root, importFile, read } = await openWithRoot();
    writeFileSync(join(root, 'big.npy'), npy("'>i2'", '(2,)', Buffer.from([0x01, 0x00, 0xff, 0xfe])));
    writeFileSync(join(root, 'fortran.npy'), npy("'|u1'", '(2, 3)', Buffer.from([1, 4, 2, 5, 3, 6]), 'True'));
    await importFile('big.npy');
    await importFile('fortran.npy', { name: 'f' });
    expect(await read('big')).toMatchObject({ dtype: 'int16', values: [256, -2] });
    expect(await read('f')).toMatchObject({
      values: [
        [1, 2, 3],
        [4, 5, 6],
      ],
    });
  });

  test.each([
    ["'<c32'", '(1,)', 'complex numbers'],
    ["'|O'", '(1,)', 'Python objects'],
    ["[('a', '<f8')]", '(1,)', 'records'],
    ["'<U4'", '(1,)', 'cannot be stored'],
    ["'<f8'", '(9,)', 'ends before'],
  ])('an array of %s with shape %s is refused clearly', async (descr, shape, message) => {
    const { root, importFile } = await openWithRoot();
    writeFileSync(join(root, 'x.npy'), npy(descr, shape, Buffer.alloc(16)));
    expect(await importFile('x.npy')).toMatchObject({ success: false, message: expect.stringContaining(message) });
  });

  test('CSV with and without titles, and its faults by line', async () => {
    const { root, importFile, read } = await openWithRoot();
    const write = (name: string, text: string) => writeFileSync(join(root, name), text);
    write('titles.csv', '\uFEFFa;b\r\n1;2\r\n3;4\r\n');
    write('quoted.csv', '"width, cm","height\n(cm)"\n"1",2\n3,4\n');
    write('plain.csv', '1.5,nan\n,-inf\n');
    write('column.csv', '1\n2\n\n3\n');
    write('ragged.csv', '1,2\n3\n');
    write('words.csv', '1,2\n3,four\n');
    await importFile('titles.csv');
    expect(await importFile('quoted.csv')).toMatchObject({ success: true, tensors: [{ shape: [2, 2] }] });
    await importFile('plain.csv');
    await importFile('column.csv');
    expect(await read('titles')).toMatchObject({
      dtype: 'int64',
      values: [
        [1, 2],
        [3, 4],
      ],
    });
    expect(await read('plain')).toMatchObject({
      dtype: 'float64',
      values: [
        [1.5, 'NaN'],
        ['NaN', '-Infinity'],
      ],
    });
    expect(await read('column')).toMatchObject({ dtype: 'int64', values: [1, 2, 3] });
    expect(await importFile('ragged.csv')).toMatchObject({
      success: false,
      message: expect.stringContaining('line 2 has 1 cells where 2'),
    });
    expect(await importFile('words.csv')).toMatchObject({
      success: false,
      message: expect.stringContaining('line 2, cell 2'),
    });
  });

  test.each([
    ['large.csv', 600_000_000, 'at most 134217728 are allowed; save the numbers as .npy instead'],
    ['large.npy', 2_200_000_000, 'at most 2147483647 are allowed'],
  ])('%s of %d bytes is refused before it is read', async (name, sizeBytes, reason) => {
    const root = temporaryFolder();
    const { call } = await openDirectory({ importRoot: [root], maxTensorBytes: 2 ** 32 });
    writeFileSync(join(root, name), '1\n');
    truncateSync(join(root, name), sizeBytes);
    expect((await call('import_tensors', { path: name })).body).toEqual({
      success: false,
      message: `Cannot import '${name}': it has ${sizeBytes} bytes; ${reason}.`,
    });
  });

  test('nothing is stored when one array of an archive is refused', async () => {
    const { root, importFile, call } = await openWithRoot();
    writeFileSync(
      join(root, 'mixed.npz'),
      zipOf({ 'good.npy': npy("'|u1'", '(1,)', Buffer.from([1])), 'bad.npy': npy("'|O'", '(1,)', Buffer.alloc(8)) }),
    );
    expect(await importFile('mixed.npz')).toMatchObject({ success: false });
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(0);
    writeFileSync(
      join(root, 'good.npz'),
      zipOf({ 'good.npy': npy("'|u1'", '(1,)', Buffer.from([1])), 'readme.txt': Buffer.from('hi') }),
    );
    expect(await importFile('good.npz')).toMatchObject({
      success: true,
      tensors: [{ name: 'good.good', shape: [1], dtype: 'uint8' }],
    });
  });

  test('arrays of one file with the same name are told apart, and none hides another', async () => {
    const { root, importFile, call } = await openWithRoot();
    const one = (value: number) => npy("'|u1'", '(1,)', Buffer.from([value]));
    const archive = zipOf({ 'x.npy': one(1), 'y.npy': one(2), 'x (2).npy': one(3), 'z.npy': one(4) });
    const sameNames = archive.toString('latin1').replaceAll(/[yz]\.npy/g, 'x.npy');
    writeFileSync(join(root, 'same.npz'), Buffer.from(sameNames, 'latin1'));
    const { tensors } = (await importFile('same.npz')) as { tensors: { name: string }[] };
    expect(tensors.map(({ name }) => name)).toEqual(['same.x', 'same.x (3)', 'same.x (2)', 'same.x (4)']);
    const values = await Promise.all(
      tensors.map(async ({ name }) => (await call('get_tensor', { name_or_uuid: name })).body.values),
    );
    expect(values).toEqual([[1], [2], [3], [4]]);
  });

  test('an archive that unpacks to more than is allowed is refused', async () => {
    const root = temporaryFolder();
    const { call } = await openDirectory({ importRoot: [root], maxTensorBytes: 10_000 });
    writeFileSync(join(root, 'bomb.npz'), zipOf({ 'x.npy': npy("'|u1'", '(5000000,)', Buffer.alloc(5_000_000)) }));
    writeFileSync(join(root, 'liar.npz'), zipOf({ 'x.npy': npy("'|u1'", '(5000000,)', Buffer.alloc(5_000_000)) }, 500));
    for (const path of ['bomb.npz', 'liar.npz'])
      expect((await call('import_tensors', { path })).body).toMatchObject({ success: false });
  });

  test('an archive of too many arrays is refused at once, with what would be right', async () => {
    const { root, importFile } = await openWithRoot();
    const one = npy("'|u1'", '(1,)', Buffer.from([1]));
    writeFileSync(
      join(root, 'many.npz'),
      zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}.npy`, one]))),
    );
    const { success, message } = await importFile('many.npz');
    expect(success).toBe(false);
    expect(message).toContain('it holds 10001 tensors, and at most 10000 are imported from one file');
  });

  test('a checkpoint unpacks each storage once, however many tensors are views of it', () => {
    // The filler lets a storage unpack to two megabytes; unpacked for each view, they would take 800 MB.
    const files = {
      'a/data.pkl': checkpoint(400, 1),
      'a/data/0': Buffer.alloc(2_000_000),
      'a/x': randomBytes(2_000_000),
    };
    const { tensors } = torch.read(zipOf(files), { maxBytes: 10_000_000 });
    expect(tensors).toHaveLength(400);
    expect(new Set(tensors.map(({ tensor }) => tensor.data.buffer)).size).toBe(1);
  });

  test('a TIFF whose pages form a ring, and a shape beyond all numbers, are refused at once', async () => {
    const { root, importFile } = await openWithRoot();
    const ring = Buffer.alloc(26);
    ring.write('II*');
    ring.writeUInt32LE(8, 4);
    ring.writeUInt16LE(1, 8);
    ring.writeUInt32LE(8, 22);
    writeFileSync(join(root, 'ring.tif'), ring);
    expect(await importFile('ring.tif')).toMatchObject({
      success: false,
      message: expect.stringContaining('its pages form a ring'),
    });
    writeFileSync(join(root, 'n.npy'), npy("'<f8'", `(${2n ** 62n}, 0)`, Buffer.alloc(0)));
    expect(await importFile('n.npy')).toMatchObject({
      success: false,
      message: expect.stringContaining('out of all bounds'),
    });
  });

  test('a file that unpacks to far more than it is, is read outside the server', async () => {
    const { root, importFile } = await openWithRoot();
    const head = npy("'|u1'", '(300000000,)', Buffer.alloc(0));
    writeFileSync(join(root, 'bomb.npz'), zipOf({ 'a.npy': Buffer.concat([head, Buffer.alloc(200_000_000)]) }));
    const before = process.memoryUsage().rss;
    let most = 0;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - before);
    }, 5);
    onTestFinished(() => clearInterval(timer));
    let turns = 0;
    const turn = setInterval(() => turns++, 10);
    onTestFinished(() => clearInterval(turn));
    expect(await importFile('bomb.npz')).toMatchObject({ success: false });
    expect(most).toBeLessThan(100_000_000);
    expect(turns).toBeGreaterThan(5);
  });

  test('tensors that share their bytes in a file do not fill the disk', async () => {
    const root = temporaryFolder();
    const { call } = await openDirectory({ importRoot: [root], maxTensorBytes: 1_000_000 });
    const shared = { 'a/data.pkl': checkpoint(1, 40_000, 300), 'a/data/0': randomBytes(40_000) };
    writeFileSync(join(root, 'shared.pt'), zipOf(shared));
    const { success, message } = (await call('import_tensors', { path: 'shared.pt' })).body;
    expect(success).toBe(false);
    expect(message).toMatch(/its tensors take 120\d{5} bytes with their names, more than the allowed 1000000/);
  });

  test('only files inside the import folders are read, however they are written', async () => {
    const { root, importFile, call } = await openWithRoot();
    const outside = temporaryFolder();
    writeFileSync(join(outside, 'secret.csv'), '1\n');
    symlinkSync(join(outside, 'secret.csv'), join(root, 'link.csv'));
    symlinkSync(outside, join(root, 'folder'));
    mkdirSync(join(root, 'inner.csv'));
    const refused = [
      join(outside, 'secret.csv'),
      `../${outside.split('/').at(-1)}/secret.csv`,
      'link.csv',
      'folder/secret.csv',
      'missing.csv',
      'inner.csv',
      '/etc/passwd',
      '',
      '.',
    ];
    for (const path of refused) expect(await importFile(path), path).toMatchObject({ success: false });
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(0);
    const closed = await openDirectory();
    expect((await closed.call('import_tensors', { path: join(outside, 'secret.csv') })).body.message).toContain(
      '--import-root',
    );
  });

  test('a file of another kind, or a damaged one, is refused', async () => {
    const { root, importFile } = await openWithRoot();
    for (const name of ['x.pkl', 'x.npy', 'x.npz', 'x.safetensors', 'x.csv']) {
      writeFileSync(join(root, name), name === 'x.csv' ? '' : 'not a tensor at all, but long enough to look at');
      expect(await importFile(name), name).toMatchObject({
        success: false,
        message: expect.stringContaining(`'${name}'`),
      });
    }
  });
});

describe('exports', () => {
  test('each format is written under a safe name in one folder, with a link', async () => {
    const { upload, call, dataDir } = await openDirectory();
    const uuid = await upload('../we/ird name?', [
      [1.5, 'NaN'],
      [3, 'Infinity'],
    ]);
    for (const format of ['npy', 'safetensors', 'csv', 'json']) {
      const { body, content } = await call('export_tensor', { name_or_uuid: uuid, format });
      const path = String(body.path);
      expect(path.startsWith(join(dataDir, 'exports'))).toBe(true);
      expect(readFileSync(path)).toHaveLength(body.size_bytes as number);
      expect(content.find(({ type }) => type === 'resource_link')).toMatchObject({ size: body.size_bytes });
      if (format === 'csv') expect(readFileSync(path, 'utf8')).toBe('1.5,nan\n3,inf\n');
      if (format === 'json')
        expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([
          [1.5, 'NaN'],
          [3, 'Infinity'],
        ]);
    }
    expect(readdirSync(join(dataDir, 'exports')).every((name) => /^[A-Za-z0-9._-]+$/.test(name))).toBe(true);
  });

  test('what was exported can be imported again, value for value', async () => {
    const root = temporaryFolder();
    const { upload, call } = await openDirectory({ importRoot: [root] });
    const tensors = {
      bools: [[[true, false]], 'bool'],
      bytes: [[[0, 255]], 'uint8'],
      longs: [[['9223372036854775807', -1]], 'int64'],
      halves: [[[0.5, 'NaN']], 'float16'],
      doubles: [
        [
          [0.1, '-Infinity'],
          [1e-300, 5],
        ],
        'float64',
      ],
    } as const;
    for (const [name, [values, dtype]] of Object.entries(tensors)) {
      await upload(name, values, { dtype });
      for (const format of ['npy', 'safetensors']) {
        const { body } = await call('export_tensor', { name_or_uuid: name, format });
        const copy = join(root, `${name}.${format}`);
        writeFileSync(copy, readFileSync(String(body.path)));
        const imported = await call('import_tensors', { path: copy });
        const [{ uuid }] = imported.body.tensors as [{ uuid: string }];
        expect((await call('get_tensor', { name_or_uuid: uuid })).body).toMatchObject({ dtype, values });
        const hash = async (given: string) => (await call('describe_tensor', { name_or_uuid: given })).body.sha256;
        expect(await hash(uuid)).toBe(await hash(name));
      }
    }
  });

  test.each(['(1000000000000000, 0)', '(3, 1000000000000000, 0)'])(
    'the empty shape %s is exported as values, and refused as endless text',
    async (shape) => {
      const { root, importFile, call } = await openWithRoot();
      writeFileSync(join(root, 'x.npy'), npy("'<f8'", shape, Buffer.alloc(0)));
      await importFile('x.npy');
      const exported = async (format: string) =>
        (await call('export_tensor', { name_or_uuid: 'x', format })).body as Record<string, unknown>;
      expect(await exported('json')).toMatchObject({
        success: false,
        message: expect.stringContaining(`the shape ${shape} holds no values`),
      });
      expect(await exported('csv')).toMatchObject({ success: false });
      expect(await exported('npy')).toMatchObject({ success: true });
      expect(await exported('safetensors')).toMatchObject({ success: true });
    },
  );

  test('an empty shape of few lists is written out', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [[], [], []]);
    for (const [format, text] of [
      ['json', '[[],[],[]]\n'],
      ['csv', '\n\n\n'],
    ]) {
      const { body } = await call('export_tensor', { name_or_uuid: 'x', format });
      expect(readFileSync(String(body.path), 'utf8')).toBe(text);
    }
  });

  test('one that nobody waits for any more ends and leaves no file', async () => {
    const settings = { ...loadConfig(configDefinition).config, dataDir: temporaryFolder() };
    const service = new TensorDirectoryService(chooseBackends(settings, silentLogger), settings);
    onTestFinished(() => service.close());
    await service.uploadTensor({ name: 'x', description: '', data: [1, 2] });
    const gone = new Error('The caller is gone');
    await expect(service.exportTensor('x', 'csv', AbortSignal.abort(gone))).rejects.toBe(gone);
    expect(readdirSync(join(settings.dataDir, 'exports'))).toEqual([]);
  });

  test('CSV of three dimensions is refused', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [[[1]]]);
    expect((await call('export_tensor', { name_or_uuid: 'x', format: 'csv' })).body).toMatchObject({
      success: false,
      message: expect.stringContaining('two dimensions'),
    });
  });
});

describe('damage', () => {
  const blobIn = (dataDir: string) => {
    const folder = join(dataDir, 'blobs', 'tensors');
    const [inner] = readdirSync(folder);
    const [file] = readdirSync(join(folder, inner!));
    return join(folder, inner!, file!);
  };
  const damages: Record<string, (path: string) => void> = {
    'a flipped bit': (path) => {
      const bytes = readFileSync(path);
      bytes[bytes.length - 1]! ^= 1;
      writeFileSync(path, bytes);
    },
    'a cut file': (path) => truncateSync(path, 100),
    'a missing file': (path) => rmSync(path),
    'a file of something else': (path) => writeFileSync(path, 'hello'),
  };

  test.each(Object.entries(damages))('%s is noticed, and can be deleted or uploaded again', async (_, damage) => {
    const { upload, call, dataDir } = await openDirectory();
    const values = [
      [1.5, 2.5],
      [3.5, 4.5],
    ];
    const first = await upload('x', values);
    await upload('other', [1]);
    await call('delete_tensor', { name_or_uuid: 'other' });
    damage(blobIn(dataDir));
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(1);
    for (const [tool, args] of [
      ['get_tensor', {}],
      ['describe_tensor', {}],
      ['plot_tensor', {}],
      ['export_tensor', { format: 'csv' }],
      ['export_tensor', { format: 'npy' }],
    ] as const) {
      const { body, isError } = await call(tool, { name_or_uuid: 'x', ...args });
      expect(isError, tool).toBe(true);
      expect(body, tool).toMatchObject({
        success: false,
        message: expect.stringContaining("tensor 'x' are damaged or missing"),
      });
    }
    await upload('x', values);
    expect((await call('get_tensor', { name_or_uuid: 'x' })).body.values).toEqual(values);
    damage(blobIn(dataDir));
    expect((await call('delete_tensor', { name_or_uuid: 'x' })).body).toMatchObject({ success: true });
    expect((await call('delete_tensor', { name_or_uuid: first })).body).toMatchObject({ success: true });
  });
});

test.each(['tensor', 'model'])('a %s is not deleted from a storage file that is gone', async (kind) => {
  const { upload, call, dataDir } = await openDirectory();
  await upload('x', [1]);
  await call('upload_model', { name: 'x', description: '', model_weights: [1] });
  rmSync(join(dataDir, 'records.db'));
  const { body, isError } = await call(`delete_${kind}`, { name_or_uuid: 'x' });
  expect(isError).toBe(true);
  expect(body).toEqual({ success: false, message: 'Storage file not found.' });
});

test('files that a crash left behind are swept, and none that is used or new', async () => {
  const settings = { ...loadConfig(configDefinition).config, dataDir: temporaryFolder() };
  const backends = chooseBackends(settings, silentLogger);
  const service = new TensorDirectoryService(backends, settings);
  onTestFinished(() => service.close());
  const stored = (value: number) => backends.values.put({ dtype: 'uint8', shape: [1], data: Uint8Array.of(value) });
  const aged = async (key: string) => utimesSync(join(settings.dataDir, 'blobs', key), 0, 0);
  const [orphan, young] = [await stored(1), await stored(2)];
  await service.uploadTensor({ name: 'used', description: '', data: [3], dtype: 'uint8' });
  const used = await stored(3);
  await aged(orphan.key);
  await aged(used.key);
  expect(await service.sweep()).toBe(1);
  const isThere = ({ key }: { key: string }) => existsSync(join(settings.dataDir, 'blobs', key));
  expect([orphan, young, used].map(isThere)).toEqual([false, true, true]);
});

/** A small zip archive; `claimed` lies about the sizes. */
/** The pickle of a list of tensors of bytes that begin one storage, each of them listed so many times. */
function checkpoint(tensors: number, bytes: number, times = 1): Buffer {
  const int = (value: number) => Buffer.from([0x4a, ...new Uint8Array(Int32Array.of(value).buffer)]);
  const text = (value: string) => Buffer.concat([Buffer.from([0x8c, value.length]), Buffer.from(value)]);
  const storage = ['(', text('storage'), 'ctorch\nByteStorage\n', text('0'), text('cpu'), int(bytes), 'tQ'];
  const view = ['ctorch._utils\n_rebuild_tensor_v2\n', '(', ...storage, int(0), '(', int(bytes), 't(', int(1), 't'];
  const tensor = [...view, Buffer.from([0x89]), 'NtR', Buffer.from([0x71, 0])];
  const again = Array<Buffer>(times - 1).fill(Buffer.from([0x68, 0]));
  const all = Array.from({ length: tensors }, () => [...tensor, ...again]).flat();
  return Buffer.concat(
    [Buffer.from([0x80, 2]), '](', ...all, 'e.'].map((part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );
}

function zipOf(files: Record<string, Buffer>, claimed?: number): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(claimed ?? content.length, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(claimed ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}
