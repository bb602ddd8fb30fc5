import { describe, expect, test } from 'vitest';
import { openDirectory } from './directory.ts';

const metadataOf = (body: Record<string, unknown>) => body.metadata as Record<string, unknown>;

describe('versions', () => {
  test('a second upload under a name is a new version and the first stays readable', async () => {
    const { upload, call } = await openDirectory();
    const first = await upload('x', [1]);
    const second = await upload('x', [2]);
    expect(second).not.toBe(first);
    expect((await call('get_tensor', { name_or_uuid: 'x' })).body.values).toEqual([2]);
    expect((await call('get_tensor', { name_or_uuid: 'x@1' })).body.values).toEqual([1]);
    expect((await call('get_tensor', { name_or_uuid: first })).body.values).toEqual([1]);
    const { body } = await call('list_versions', { name: 'x' });
    expect(body).toMatchObject({
      success: true,
      name: 'x',
      versions: [
        { version: 1, uuid: first, current: false },
        { version: 2, uuid: second, current: true },
      ],
    });
  });

  test('deleting the newest makes the one before it current, and its number is not given again', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1]);
    await upload('x', [2]);
    await call('delete_tensor', { name_or_uuid: 'x' });
    expect((await call('get_tensor', { name_or_uuid: 'x' })).body.values).toEqual([1]);
    await upload('x', [3]);
    const { body } = await call('list_versions', { name: 'x' });
    expect((body.versions as { version: number }[]).map(({ version }) => version)).toEqual([1, 3]);
    expect((await call('get_tensor', { name_or_uuid: 'x@2' })).body).toEqual({
      success: false,
      message: "Tensor 'x@2' not found.",
    });
  });

  test('renaming onto a name in use makes the renamed one its newest version', async () => {
    const { upload, call } = await openDirectory();
    const old = await upload('target', [1]);
    const moved = await upload('source', [2]);
    await call('update_tensor_metadata', { name_or_uuid: 'source', metadata_updates: { user_name: 'target' } });
    expect(metadataOf((await call('get_tensor', { name_or_uuid: 'target' })).body).uuid).toBe(moved);
    expect(metadataOf((await call('get_tensor', { name_or_uuid: 'target@1' })).body).uuid).toBe(old);
    expect((await call('get_tensor', { name_or_uuid: 'source' })).isError).toBe(true);
    await call('delete_tensor', { name_or_uuid: 'target' });
    expect(metadataOf((await call('get_tensor', { name_or_uuid: 'target' })).body).uuid).toBe(old);
  });

  test('a name that looks like a version is found as the name it is', async () => {
    const { upload, call } = await openDirectory();
    await upload('x@1', [5]);
    await upload('x', [6]);
    expect((await call('get_tensor', { name_or_uuid: 'x@1' })).body.values).toEqual([5]);
  });

  test('a uuid is a uuid in capitals and never a name', async () => {
    const { upload, call } = await openDirectory();
    const uuid = await upload('x', [1]);
    expect((await call('get_tensor', { name_or_uuid: uuid.toUpperCase() })).body.values).toEqual([1]);
    const alien = '00000000-0000-4000-8000-000000000001';
    await upload(alien, [2]);
    expect((await call('get_tensor', { name_or_uuid: alien })).body.message).toBe(`Tensor '${alien}' not found.`);
    expect((await call('delete_tensor', { name_or_uuid: alien })).body.message).toBe(
      `Tensor UUID '${alien}' not found or delete failed.`,
    );
  });

  test('models have versions too', async () => {
    const { call } = await openDirectory();
    await call('upload_model', { name: 'm', description: '', model_weights: [1] });
    await call('upload_model', { name: 'm', description: '', model_code: 'def predict(d): return d["x"]' });
    const { body } = await call('list_versions', { name: 'm', kind: 'model' });
    expect(body.versions).toHaveLength(2);
    expect((await call('get_model', { name_or_uuid: 'm@1' })).body).toMatchObject({
      code: null,
      weights_shape: [1],
      weights_dtype: 'int64',
    });
    expect((await call('get_model', { name_or_uuid: 'm' })).body).toMatchObject({
      language: 'python',
      code: 'def predict(d): return d["x"]',
      weights_shape: null,
    });
  });
});

describe('uploads', () => {
  test('what is wrong is said in the error body, with its place', async () => {
    const { call } = await openDirectory({ maxTensorBytes: 80 });
    const refuse = async (data: unknown, more = {}) => {
      const { body, isError } = await call('upload_tensor', { name: 'x', description: '', tensor_data: data, ...more });
      expect(isError).toBe(true);
      expect(Object.keys(body)).toEqual(['error']);
      return body.error;
    };
    expect(await refuse([[1, 2], [3]])).toMatch(/^Invalid tensor data format for 'x': tensor_data\[1\] has 1 item/);
    expect(await refuse('text')).toBe("tensor_data for 'x' must be a non-empty list.");
    expect(await refuse([1, 'a'])).toContain('tensor_data[1]');
    expect(await refuse(Array(11).fill(1))).toContain('at most 80 are allowed');
    expect(await refuse([1], { dtype: 'complex64' })).toContain('complex numbers cannot be stored');
    expect(await refuse([300], { dtype: 'uint8' })).toContain('does not fit uint8');
    expect(await refuse(undefined)).toContain('tensor_data');
    expect((await call('upload_tensor', { name: '  ', description: '', tensor_data: [1] })).body.error).toBe(
      'name must be text that is not blank.',
    );
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(0);
  });

  test('values and weights that are the same are stored once and kept as long as one holds them', async () => {
    const { upload, call } = await openDirectory();
    const first = await upload('a', [[1.5, 2.5]]);
    const second = await upload('b', [[1.5, 2.5]]);
    await call('upload_model', { name: 'm', description: '', model_weights: [[1.5, 2.5]] });
    const hash = async (given: string) => (await call('describe_tensor', { name_or_uuid: given })).body.sha256;
    expect(await hash(first)).toBe(await hash(second));
    await upload('c', [1.5, 2.5]);
    expect(await hash('c')).not.toBe(await hash(first));
    await call('delete_tensor', { name_or_uuid: 'a' });
    expect((await call('get_tensor', { name_or_uuid: 'b' })).body.values).toEqual([[1.5, 2.5]]);
    await call('delete_tensor', { name_or_uuid: 'b' });
    await call('delete_model', { name_or_uuid: 'm' });
    await upload('d', [[1.5, 2.5]]);
    expect((await call('get_tensor', { name_or_uuid: 'd' })).body.values).toEqual([[1.5, 2.5]]);
  });

  test('code without predict is stored, with a warning', async () => {
    const { call } = await openDirectory();
    const { body } = await call('upload_model', { name: 'm', description: '', model_code: 'x = 1' });
    expect(body).toMatchObject({
      message: 'Model uploaded successfully',
      warning: expect.stringContaining("no 'predict"),
    });
    const good = await call('upload_model', {
      name: 'm',
      description: '',
      model_code: 'function predict(inputs) { return inputs.x; }',
      language: 'javascript',
    });
    expect(good.body).not.toHaveProperty('warning');
    expect(
      (await call('upload_model', { name: 'm', description: '', model_weights: [[1], [2, 3]] })).body.error,
    ).toContain('model_weights[1]');
    expect(
      (await call('upload_model', { name: 'm', description: '', model_weights: null, model_code: null })).body.error,
    ).toBe('Either model_weights or model_code must be provided.');
  });
});

describe('reading', () => {
  test('slices are those of NumPy and come nested', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [
      [1, 2, 3],
      [4, 5, 6],
    ]);
    const read = async (slice?: string) =>
      (await call('get_tensor', { name_or_uuid: 'x', ...(slice !== undefined && { slice }) })).body;
    expect(await read()).toMatchObject({
      success: true,
      dtype: 'int64',
      shape: [2, 3],
      values: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      truncated: false,
    });
    expect(await read('::-1, 1:')).toMatchObject({
      shape: [2, 2],
      values: [
        [5, 6],
        [2, 3],
      ],
    });
    expect(await read('-1, 0')).toMatchObject({ shape: [], values: 4 });
    expect(await read('5')).toEqual({
      success: false,
      message: "Cannot slice tensor 'x': index 5 is out of bounds for axis 0 with size 2.",
    });
    expect(await read('x')).toMatchObject({ success: false });
    const cut = await call('get_tensor', { name_or_uuid: 'x', max_values: 4 });
    expect(cut.body).toMatchObject({ shape: [1, 3], values: [[1, 2, 3]], truncated: true });
  });

  test('NaN, infinities and large integers come as text, and the answer says so', async () => {
    const { upload, call } = await openDirectory();
    await upload('odd', ['NaN', 1.5, '-Infinity']);
    expect((await call('get_tensor', { name_or_uuid: 'odd' })).body).toMatchObject({
      values: ['NaN', 1.5, '-Infinity'],
      note: expect.stringContaining('NaN'),
    });
    await upload('long', ['9223372036854775807'], { dtype: 'int64' });
    expect((await call('get_tensor', { name_or_uuid: 'long' })).body).toMatchObject({
      values: ['9223372036854775807'],
      note: expect.stringContaining('2^53'),
    });
    await upload('plain', [1]);
    expect((await call('get_tensor', { name_or_uuid: 'plain' })).body).not.toHaveProperty('note');
  });

  test('figures are those of the finite values', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [0, 1, 2, 3, 'NaN', 'Infinity'], { dtype: 'float32' });
    const { body } = await call('describe_tensor', { name_or_uuid: 'x', bins: 3 });
    expect(body).toMatchObject({
      statistics: {
        count: 6,
        min: 0,
        max: 3,
        mean: 1.5,
        std: Math.sqrt(1.25),
        nan_count: 1,
        inf_count: 1,
        zero_count: 1,
      },
      histogram: { edges: [0, 1, 2, 3], counts: [1, 1, 2] },
      size_bytes: 24,
    });
    await upload('one', [7, 7]);
    expect((await call('describe_tensor', { name_or_uuid: 'one', bins: 2 })).body).toMatchObject({
      statistics: { min: 7, max: 7, mean: 7, std: 0 },
      histogram: { edges: [6.5, 7, 7.5], counts: [0, 2] },
    });
    await upload('none', [[]]);
    expect((await call('describe_tensor', { name_or_uuid: 'none', bins: 2 })).body).toMatchObject({
      statistics: { count: 0, min: null, max: null, mean: null, std: null },
      histogram: { counts: [0, 0] },
    });
  });
});

describe('lists', () => {
  test('are sorted by name without regard to case, then by age, older versions too', async () => {
    const { upload, call } = await openDirectory();
    for (const name of ['beta', 'Alpha', 'alpha', 'Gamma', 'beta']) await upload(name, [1]);
    const names = async (args: object) =>
      ((await call('list_tensors', { ...args })).body.tensors as { user_name: string }[]).map((row) => row.user_name);
    expect(await names({})).toEqual(['Alpha', 'alpha', 'beta', 'beta', 'Gamma']);
    expect(await names({ limit: 2, offset: 1 })).toEqual(['alpha', 'beta']);
    expect(await names({ filter_by_name_contains: 'alpha' })).toEqual(['alpha']);
    expect(await names({ filter_by_name_contains: 'ALPHA', case_sensitive: false })).toEqual(['Alpha', 'alpha']);
    expect(await names({ filter_by_name_contains: '' })).toHaveLength(5);
    expect(await names({ filter_by_name_contains: '%' })).toEqual([]);
    expect(await names({ offset: 99 })).toEqual([]);
    expect((await call('list_tensors', { limit: 1 })).body.total_items_in_collection).toBe(5);
  });

  test.each([{ limit: 0 }, { limit: 1001 }, { offset: -1 }, { limit: 'many' }])(
    '%j is refused with an empty page and the reason',
    async (args) => {
      const { call } = await openDirectory();
      const { body, isError } = await call('list_models', args);
      expect(isError).toBe(true);
      expect(body).toMatchObject({
        models: [],
        total_items_in_collection: 0,
        message: expect.stringContaining(Object.keys(args)[0]!),
      });
    },
  );

  test('search finds by words, dtype, shape, rank, tag and date', async () => {
    const { upload, call } = await openDirectory();
    await upload(
      'cats',
      [
        [1, 2],
        [3, 4],
      ],
      { description: 'Pictures of Siamese cats', tags: ['prod', 'v1'], dtype: 'uint8' },
    );
    await upload('dogs', [1.5, 2.5], { description: 'Pictures of dogs', tags: ['prod2'] });
    await upload('birds', [[[1]]], { description: '' });
    const find = async (args: object) =>
      ((await call('search_tensors', { ...args })).body.tensors as { user_name: string }[]).map((row) => row.user_name);
    expect(await find({})).toEqual(['birds', 'cats', 'dogs']);
    expect(await find({ text: 'pictures' })).toEqual(['cats', 'dogs']);
    expect(await find({ text: 'SIAMESE pictures' })).toEqual(['cats']);
    expect(await find({ text: 'pictures dogs cats' })).toEqual([]);
    expect(await find({ dtype: 'uint8' })).toEqual(['cats']);
    expect(await find({ shape: [2, 2] })).toEqual(['cats']);
    expect(await find({ shape: [null, 2] })).toEqual(['cats']);
    expect(await find({ shape: [null] })).toEqual(['dogs']);
    expect(await find({ ndim: 3 })).toEqual(['birds']);
    expect(await find({ tag: 'prod' })).toEqual(['cats']);
    expect(await find({ created_after: '2020-01-01' })).toHaveLength(3);
    expect(await find({ created_before: '2020-01-01T00:00:00Z' })).toEqual([]);
    expect((await call('search_tensors', { created_after: 'yesterday' })).body).toMatchObject({
      success: false,
      message: expect.stringContaining('created_after'),
    });
    expect((await call('search_tensors', { limit: 0 })).body).toMatchObject({ success: false });
  });
});

describe('updates', () => {
  test('unknown and fixed fields are left alone and named', async () => {
    const { upload, call } = await openDirectory();
    const uuid = await upload('x', [1]);
    const { body } = await call('update_tensor_metadata', {
      name_or_uuid: 'x',
      metadata_updates: { uuid: 'other', original_dtype: 'int8', colour: 'red', description: 'new' },
    });
    expect(body).toMatchObject({
      success: true,
      metadata: { uuid, description: 'new', original_dtype: 'int64' },
      ignored: ['uuid', 'original_dtype', 'colour'],
    });
  });

  test('a blank name is refused and changes nothing', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1]);
    const { body } = await call('update_tensor_metadata', {
      name_or_uuid: 'x',
      metadata_updates: { user_name: '  ', description: 'new' },
    });
    expect(body).toEqual({ success: false, message: 'user_name must be text that is not blank.' });
    expect(metadataOf((await call('get_tensor', { name_or_uuid: 'x' })).body).description).toBe('about x');
  });

  test('tags can be changed', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1], { tags: ['old'] });
    await call('update_tensor_metadata', { name_or_uuid: 'x', metadata_updates: { tags: ['new'] } });
    expect((await call('search_tensors', { tag: 'new' })).body.total_items_in_collection).toBe(1);
    expect((await call('search_tensors', { tag: 'old' })).body.total_items_in_collection).toBe(0);
  });
});

describe('plain words', () => {
  test('many matches are told with twenty examples, or as many as asked for', async () => {
    const { upload, ask } = await openDirectory();
    for (const name of ['t1', 't2', 't3', 't4', 't5']) await upload(name, [1]);
    expect(await ask('list all tensors')).toBe(
      "Found 5 tensor(s) matching criteria. Examples: [Name='t1', Shape='(1,)', Dtype='int64'; Name='t2', Shape='(1,)', Dtype='int64'; Name='t3', Shape='(1,)', Dtype='int64'; Name='t4', Shape='(1,)', Dtype='int64'; Name='t5', Shape='(1,)', Dtype='int64']",
    );
    expect(await ask('list all tensors', { limit: 1 })).toContain('and 4 more...');
    expect(await ask('how many tensors are there?')).toBe('There are 5 tensors.');
    expect(await ask('how many float32 tensors are there?')).toBe('There are 0 tensors matching your criteria.');
    expect(await ask('list the models')).toBe('No models found matching your criteria.');
  });

  test('a date that is none is refused, for models too', async () => {
    const { call, ask } = await openDirectory();
    await call('upload_model', { name: 'm', description: '', model_weights: [1] });
    expect(await ask('list models created after 2020-01-31')).toMatch(/^Found 1 model/);
    for (const what of ['tensors', 'models']) {
      expect(
        await call('query_tensor_directory', { prompt: `list ${what} created after 2020-13-45` }),
        what,
      ).toMatchObject({
        isError: true,
        text: "Error analyzing prompt: '2020-13-45' is not a date; give one such as 2024-01-31.",
      });
    }
  });

  test('an ordinary word is a name only if something has it', async () => {
    const { upload, ask } = await openDirectory();
    expect(await ask('what is the shape of water?')).toMatch(/^The intent of your request is unclear/);
    await upload('water', [[1, 2]]);
    expect(await ask('what is the shape of water?')).toMatch(
      /^Tensor 'water' found\. .* Shape: \(1, 2\), Dtype: int64\.$/,
    );
  });

  test('quotes in names and descriptions are printed as Python prints them', async () => {
    const { call, ask } = await openDirectory();
    await call('upload_tensor', { name: `it's "both"`, description: 'line\nbreak \\ é', tensor_data: [1] });
    expect(await ask(`find tensor “it's "both"”`)).toContain(
      `{'user_name': 'it\\'s "both"', 'description': 'line\\nbreak \\\\ é', `,
    );
  });
});

describe('resources', () => {
  test('tensors and models are listed, completed by name and read', async () => {
    const { client, upload, call } = await openDirectory();
    const uuid = await upload('Photo of a cat', [[1.5]]);
    await call('upload_model', { name: 'enhancer', description: 'd', model_code: 'def predict(d): pass' });
    const { resources } = await client.listResources();
    expect(resources.map(({ name }) => name)).toEqual(['Photo of a cat', 'enhancer', 'plot-view']);
    const complete = async (uri: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name: 'uuid', value } })).completion
        .values;
    expect(await complete('tensor://{uuid}', 'pho')).toEqual(['Photo of a cat']);
    expect(await complete('model://{uuid}', '')).toEqual(['enhancer']);
    const [metadata] = (await client.readResource({ uri: `tensor://${encodeURIComponent('Photo of a cat')}` }))
      .contents as { text: string }[];
    expect(JSON.parse(metadata!.text)).toMatchObject({ uuid, version: 1, original_shape: '(1, 1)' });
    const [file] = (await client.readResource({ uri: `tensor://${uuid}/data.npy` })).contents as { blob: string }[];
    const npy = Buffer.from(file!.blob, 'base64');
    expect(npy.toString('latin1', 1, 6)).toBe('NUMPY');
    expect(npy.readDoubleLE(npy.length - 8)).toBe(1.5);
    const [model] = (await client.readResource({ uri: 'model://enhancer' })).contents as { text: string }[];
    expect(JSON.parse(model!.text)).toMatchObject({ code: 'def predict(d): pass', language: 'python' });
    await expect(client.readResource({ uri: 'tensor://nobody' })).rejects.toThrow();
  });
});
