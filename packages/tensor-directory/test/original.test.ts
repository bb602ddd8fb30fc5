import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInMemory, type OriginalCall, originalSuite } from '@atoll-mcp/testing';
import { afterAll, describe, expect, test } from 'vitest';
import { contract } from '../src/contract.ts';
import { createTensorDirectoryServer } from '../src/server.ts';
import { openDirectory } from './directory.ts';
import { needsPython } from './python.ts';

const folders: string[] = [];
const servers: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function connect() {
  const dataDir = mkdtempSync(join(tmpdir(), 'tensor-original-'));
  folders.push(dataDir);
  const server = createTensorDirectoryServer({ dataDir });
  servers.push(server);
  return connectInMemory(server);
}

const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
const uuidOf = (answers: readonly unknown[], i: number) => (answers[i] as { uuid: string }).uuid;

const features = {
  name: 'my_feature_vector_v2',
  description: "Feature vector extracted from image 'img_1024.jpg' using ResNet50",
  tensor_data: [
    [0.15, 0.25, 0.35, -0.45],
    [0.45, 0.55, -0.65, 0.75],
    [0.85, -0.95, 1.05, 0.05],
  ],
};
const enhancer = {
  name: 'image_enhancer_v1',
  description: 'Simple model to adjust image brightness, defined in Python.',
  // As the original document prints it: escaped twice, so the code is one line with "\n" signs in it.
  model_code:
    "import numpy as np\\ndef predict(input_tensors_dict):\\n  image = input_tensors_dict['input_image']\\n  return np.clip(image * 1.2 + 10, 0, 255)",
};
const embeddings = {
  name: 'embedding_lookup_table',
  description: 'Pre-trained embedding weights.',
  model_weights: [
    [0.1, 0.2, 0.3],
    [0.4, 0.5, 0.6],
    [0.7, 0.8, 0.9],
  ],
};
const uploadFeatures: OriginalCall = {
  tool: 'upload_tensor',
  arguments: features,
  answer: { uuid: UUID, name: 'my_feature_vector_v2', message: 'Tensor uploaded successfully' },
};
const uploadEnhancer: OriginalCall = {
  tool: 'upload_model',
  arguments: enhancer,
  answer: { uuid: UUID, name: 'image_enhancer_v1', message: 'Model uploaded successfully' },
};
const uploadSmall = (name: string, data: unknown, more = {}): OriginalCall => ({
  tool: 'upload_tensor',
  arguments: { name, description: 'Some other features', tensor_data: data, ...more },
  answer: { uuid: UUID, name, message: 'Tensor uploaded successfully' },
});
const ask = (prompt: string, answer: unknown, isError = false): OriginalCall => ({
  tool: 'query_tensor_directory',
  arguments: { prompt, params: {} },
  answer,
  isError,
});
const metadata = {
  uuid: UUID,
  user_name: 'my_feature_vector_v2_normalized',
  description: 'Updated description: Feature vector from ResNet50, normalized.',
  creation_date: DATE,
  original_dtype: 'float64',
  original_shape: '(3, 4)',
};
const modelMetadata = {
  uuid: UUID,
  user_name: 'image_brightness_contrast_v1.1',
  description: 'Simple model to adjust image brightness and contrast. Python based.',
  upload_date: DATE,
  has_code: true,
  has_weights: false,
};

originalSuite('tensor-directory', connect, [
  { title: '1. upload_tensor stores the feature vector', calls: [uploadFeatures] },
  {
    title: '2. upload_tensor refuses an empty list',
    calls: [
      {
        tool: 'upload_tensor',
        arguments: { ...features, tensor_data: [] },
        answer: { error: "tensor_data for 'my_feature_vector_v2' must be a non-empty list." },
        isError: true,
      },
    ],
  },
  {
    title: '3. upload_model stores code, or weights, and refuses neither',
    calls: [
      uploadEnhancer,
      {
        tool: 'upload_model',
        arguments: embeddings,
        answer: { uuid: UUID, name: 'embedding_lookup_table', message: 'Model uploaded successfully' },
      },
      {
        tool: 'upload_model',
        arguments: { name: 'image_enhancer_v1', description: 'nothing' },
        answer: { error: 'Either model_weights or model_code must be provided.' },
        isError: true,
      },
    ],
  },
  {
    title: '4. query_tensor_directory finds a tensor, or says that there is none',
    calls: [
      uploadFeatures,
      ...[
        "Find tensor named 'my_feature_vector_v2'",
        "What is the shape of tensor 'my_feature_vector_v2'?",
        "What are the details for tensor 'my_feature_vector_v2'?",
      ].map((prompt) =>
        ask(
          prompt,
          expect.stringMatching(
            /^Tensor 'my_feature_vector_v2' found\. Metadata: \{'user_name': 'my_feature_vector_v2', .*\}\. Shape: \(3, 4\), Dtype: float64\.$/,
          ),
        ),
      ),
      ask("Find tensor named 'unknown_tensor'", "Tensor 'unknown_tensor' not found."),
    ],
  },
  {
    title: '5. query_tensor_directory searches by dtype',
    calls: [
      ask('Search for tensors with dtype float32', 'No tensors found matching your criteria.'),
      uploadSmall('t1', Array(10).fill(0.5), { dtype: 'float32' }),
      uploadSmall('t2', Array(20).fill(Array(5).fill(0.5)), { dtype: 'float32' }),
      uploadSmall('t3', [1]),
      ask(
        'Search for tensors with dtype float32',
        "Found 2 tensor(s) matching criteria. Examples: [Name='t1', Shape='(10,)', Dtype='float32'; Name='t2', Shape='(20, 5)', Dtype='float32']",
      ),
    ],
  },
  {
    title: '6. query_tensor_directory loads models and says what cannot be run',
    calls: [
      uploadEnhancer,
      ask("Load model 'image_enhancer_v1'", expect.stringMatching(/^Model 'image_enhancer_v1' found/)),
      ask("Load model 'nobody'", "Model 'nobody' not found."),
      ask(
        "Run model 'image_enhancer_v1' on tensor 'input_image_data' and call the output 'enhanced_output'",
        "Error: Input tensor 'input_image_data' not found for inference.",
        true,
      ),
      { tool: 'upload_model', arguments: { ...embeddings, name: 'image_enhancer_v1' }, answer: expect.anything() },
      ask(
        "Run model 'image_enhancer_v1' on tensor 'input_image_data'",
        "Model 'image_enhancer_v1' found, but it only has weights. Direct execution of weights-only models is not yet supported by this agent.",
      ),
    ],
  },
  {
    title: '7. query_tensor_directory says when it does not understand',
    calls: [
      ask(
        'tell me a joke',
        "The intent of your request is unclear or not supported. Please try rephrasing. User prompt: 'tell me a joke'",
      ),
    ],
  },
  {
    title: '8. list_tensors filters and pages',
    calls: [
      uploadFeatures,
      uploadSmall('another_feature_vector', Array(100).fill(7), { dtype: 'int32' }),
      uploadSmall('unrelated', [1]),
      {
        tool: 'list_tensors',
        arguments: { filter_by_name_contains: 'feature_vector', limit: 50, offset: 0 },
        answer: {
          tensors: [
            {
              uuid: UUID,
              user_name: 'another_feature_vector',
              description: 'Some other features',
              creation_date: DATE,
              original_dtype: 'int32',
              original_shape: '(100,)',
            },
            {
              uuid: UUID,
              user_name: 'my_feature_vector_v2',
              description: features.description,
              creation_date: DATE,
              original_dtype: 'float64',
              original_shape: '(3, 4)',
            },
          ],
          total_items_in_collection: 2,
          offset: 0,
          limit: 50,
        },
      },
    ],
  },
  {
    title: '9. list_models filters and pages',
    calls: [
      uploadEnhancer,
      {
        tool: 'upload_model',
        arguments: { name: 'super_resolution_enhancer', description: 'Advanced SRGAN model.', model_weights: [1.5] },
        answer: expect.anything(),
      },
      {
        tool: 'list_models',
        arguments: { filter_by_name_contains: 'enhancer', limit: 10, offset: 0 },
        answer: {
          models: [
            {
              uuid: UUID,
              user_name: 'image_enhancer_v1',
              description: enhancer.description,
              upload_date: DATE,
              has_code: true,
              has_weights: false,
            },
            {
              uuid: UUID,
              user_name: 'super_resolution_enhancer',
              description: 'Advanced SRGAN model.',
              upload_date: DATE,
              has_code: false,
              has_weights: true,
            },
          ],
          total_items_in_collection: 2,
          offset: 0,
          limit: 10,
        },
      },
    ],
  },
  {
    title: '10. delete_tensor deletes by name and by uuid, and says what it did not find',
    calls: [
      uploadFeatures,
      {
        tool: 'delete_tensor',
        arguments: { name_or_uuid: 'my_feature_vector_v2' },
        answer: {
          success: true,
          message: expect.stringMatching(
            /^Tensor 'my_feature_vector_v2' \(UUID: [0-9a-f-]{36}\) deleted successfully\.$/,
          ),
        },
      },
      uploadFeatures,
      {
        tool: 'delete_tensor',
        arguments: (answers) => ({ name_or_uuid: uuidOf(answers, 2) }),
        answer: {
          success: true,
          message: expect.stringMatching(
            /^Tensor 'my_feature_vector_v2' \(UUID: [0-9a-f-]{36}\) deleted successfully\.$/,
          ),
        },
      },
      {
        tool: 'delete_tensor',
        arguments: { name_or_uuid: 'non_existent_tensor' },
        answer: { success: false, message: "Tensor 'non_existent_tensor' not found by name." },
        isError: true,
      },
      {
        tool: 'delete_tensor',
        arguments: { name_or_uuid: 'a1b2c3d4-e5f6-7890-1234-000000000000' },
        answer: {
          success: false,
          message: "Tensor UUID 'a1b2c3d4-e5f6-7890-1234-000000000000' not found or delete failed.",
        },
        isError: true,
      },
    ],
  },
  {
    title: '11. delete_model deletes by name and by uuid, and says what it did not find',
    calls: [
      uploadEnhancer,
      {
        tool: 'delete_model',
        arguments: { name_or_uuid: 'image_enhancer_v1' },
        answer: {
          success: true,
          message: expect.stringMatching(/^Model 'image_enhancer_v1' \(UUID: [0-9a-f-]{36}\) deleted successfully\.$/),
        },
      },
      uploadEnhancer,
      {
        tool: 'delete_model',
        arguments: (answers) => ({ name_or_uuid: uuidOf(answers, 2) }),
        answer: {
          success: true,
          message: expect.stringMatching(/^Model 'image_enhancer_v1' \(UUID: [0-9a-f-]{36}\) deleted successfully\.$/),
        },
      },
      {
        tool: 'delete_model',
        arguments: { name_or_uuid: 'unknown_model' },
        answer: { success: false, message: "Model 'unknown_model' not found by name." },
        isError: true,
      },
      {
        tool: 'delete_model',
        arguments: { name_or_uuid: 'f0e1d2c3-b4a5-6789-0123-000000000000' },
        answer: {
          success: false,
          message: "Model UUID 'f0e1d2c3-b4a5-6789-0123-000000000000' not found or delete failed.",
        },
        isError: true,
      },
    ],
  },
  {
    title: '12. update_tensor_metadata renames and describes, and says what it did not find',
    calls: [
      uploadFeatures,
      {
        tool: 'update_tensor_metadata',
        arguments: {
          name_or_uuid: 'my_feature_vector_v2',
          metadata_updates: { description: metadata.description, user_name: metadata.user_name },
        },
        answer: { success: true, metadata },
      },
      {
        tool: 'update_tensor_metadata',
        arguments: (answers) => ({
          name_or_uuid: uuidOf(answers, 0),
          metadata_updates: { description: 'By its uuid.' },
        }),
        answer: { success: true, metadata: { ...metadata, description: 'By its uuid.' } },
      },
      {
        tool: 'update_tensor_metadata',
        arguments: { name_or_uuid: 'non_existent_tensor', metadata_updates: {} },
        answer: { success: false, message: "Tensor 'non_existent_tensor' not found by name for update." },
        isError: true,
      },
      {
        tool: 'update_tensor_metadata',
        arguments: { name_or_uuid: 'a1b2c3d4-e5f6-7890-1234-000000000000', metadata_updates: {} },
        answer: {
          success: false,
          message: "Tensor UUID 'a1b2c3d4-e5f6-7890-1234-000000000000' not found or update failed.",
        },
        isError: true,
      },
    ],
  },
  {
    title: '13. update_model_metadata renames and describes, and says what it did not find',
    calls: [
      uploadEnhancer,
      {
        tool: 'update_model_metadata',
        arguments: {
          name_or_uuid: 'image_enhancer_v1',
          metadata_updates: {
            description: modelMetadata.description,
            user_name: modelMetadata.user_name,
          },
        },
        answer: { success: true, metadata: modelMetadata },
      },
      {
        tool: 'update_model_metadata',
        arguments: (answers) => ({
          name_or_uuid: uuidOf(answers, 0),
          metadata_updates: { description: 'By its uuid.' },
        }),
        answer: { success: true, metadata: { ...modelMetadata, description: 'By its uuid.' } },
      },
      {
        tool: 'update_model_metadata',
        arguments: { name_or_uuid: 'unknown_model_v2', metadata_updates: {} },
        answer: { success: false, message: "Model 'unknown_model_v2' not found by name for update." },
        isError: true,
      },
      {
        tool: 'update_model_metadata',
        arguments: { name_or_uuid: 'f0e1d2c3-b4a5-6789-0123-000000000000', metadata_updates: {} },
        answer: {
          success: false,
          message: "Model UUID 'f0e1d2c3-b4a5-6789-0123-000000000000' not found or update failed.",
        },
        isError: true,
      },
    ],
  },
  {
    title: "14. the original's wire form, with all arguments in one object, is accepted",
    calls: [
      { ...uploadFeatures, arguments: { args: features } },
      {
        tool: 'list_tensors',
        arguments: { args: { limit: 1 } },
        answer: expect.objectContaining({ total_items_in_collection: 1, limit: 1 }),
      },
    ],
  },
]);

const schemaOf = (name: string) =>
  contract.tools.find((tool) => tool.name === name)!.input.toJSONSchema({ io: 'input' }) as {
    required?: string[];
    properties: Record<string, { default?: unknown; minimum?: number; maximum?: number }>;
  };

describe('sentences of the document beyond its examples', () => {
  test(
    '16. the model and the tensor of its own example run as printed, and a taken output name gets date and random part',
    needsPython,
    async () => {
      const { upload, call, ask } = await openDirectory();
      await call('upload_model', enhancer);
      await upload('input_image_data', [[10, 250]]);
      const prompt = "Run model 'image_enhancer_v1' on tensor 'input_image_data' and call the output 'enhanced_output'";
      expect(await ask(prompt)).toMatch(
        /^Inference successful with model 'image_enhancer_v1'\. Output tensor saved as 'enhanced_output' \(UUID: [0-9a-f-]{36}\)\.$/,
      );
      expect((await call('get_tensor', { name_or_uuid: 'enhanced_output' })).body.values).toEqual([[22, 255]]);
      expect(await ask(prompt)).toMatch(/Output tensor saved as 'enhanced_output_\d{8}_\d{6}_[0-9a-f]{8}' \(UUID: /);
    },
  );

  test('17. name, description and tensor_data are required, and so are name and description of a model', async () => {
    expect(schemaOf('upload_tensor').required).toEqual(['name', 'description', 'tensor_data']);
    expect(schemaOf('upload_model').required).toEqual(['name', 'description']);
    expect(schemaOf('query_tensor_directory').required).toEqual(['prompt']);
    const { call } = await openDirectory();
    expect((await call('upload_tensor', { name: 'x', tensor_data: [1] })).body.error).toContain('description');
  });

  test('18. optional arguments have their defaults in the schema: null, 100 and 0', () => {
    const model = schemaOf('upload_model').properties;
    expect([model.model_weights!.default, model.model_code!.default]).toEqual([null, null]);
    expect(schemaOf('query_tensor_directory').properties.params!.default).toBeNull();
    for (const tool of ['list_tensors', 'list_models']) {
      expect(schemaOf(tool).properties).toMatchObject({
        filter_by_name_contains: { default: null },
        limit: { default: 100, minimum: 1, maximum: 1000 },
        offset: { default: 0, minimum: 0 },
      });
    }
  });

  test('19. null is taken for what is optional', async () => {
    const { upload, call, ask } = await openDirectory();
    await upload('x', [1]);
    const model = { name: 'm', description: '', model_weights: null, model_code: 'def predict(d): return d["x"]' };
    expect((await call('upload_model', model)).body.message).toBe('Model uploaded successfully');
    expect((await call('list_tensors', { filter_by_name_contains: null })).body.total_items_in_collection).toBe(1);
    expect((await call('query_tensor_directory', { prompt: 'Find tensor x', params: null })).text).toMatch(
      /^Tensor 'x' found/,
    );
    expect(await ask('Find tensor x', {})).toMatch(/^Tensor 'x' found/);
  });

  test('20. the filter is case-sensitive, and pages outside the bounds are refused as an empty page', async () => {
    const { upload, call } = await openDirectory();
    await upload('Feature', [1]);
    const total = async (text: string) =>
      (await call('list_tensors', { filter_by_name_contains: text })).body.total_items_in_collection;
    expect([await total('Feat'), await total('feat')]).toEqual([1, 0]);
    for (const page of [{ limit: 0 }, { limit: 1001 }, { offset: -1 }]) {
      const { body, isError } = await call('list_tensors', page);
      expect(body).toMatchObject({ tensors: [], total_items_in_collection: 0 });
      expect(isError).toBe(true);
    }
  });

  test('21. predict must return an array: a list is refused with what to do', needsPython, async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1, 2]);
    for (const [name, result] of [
      ['list', '[1.0, 2.0]'],
      ['tuple', '(1.0, 2.0)'],
    ]) {
      await call('upload_model', { name, description: '', model_code: `def predict(d): return ${result}` });
      const { body } = await call('run_model', { model: name, inputs: ['x'] });
      expect(body.message).toBe(
        `Error during model execution for '${name}': predict returned a ${name}; return a NumPy array, such as numpy.array(result)`,
      );
    }
    expect((await call('list_tensors')).body.total_items_in_collection).toBe(1);
  });

  test('22. tensor_data is a nested list of numbers: texts are refused with their position', async () => {
    const { call } = await openDirectory();
    const store = (data: unknown) => call('upload_tensor', { name: 'x', description: '', tensor_data: data });
    expect((await store([[1], ['2']])).body.error).toBe(
      `Invalid tensor data format for 'x': tensor_data[1][0] is the text "2"; allowed are numbers, true, false, "NaN", "Infinity", "-Infinity" and integers beyond 2^53 as text.`,
    );
    for (const text of ['', '1.5', 'one', '9007199254740991', '-3']) {
      expect((await store([1, text])).body.error, text).toContain('tensor_data[1] is the text');
    }
    expect((await store([1, 'NaN', 'Infinity', '-Infinity'])).body.message).toBe('Tensor uploaded successfully');
    expect((await store(['9007199254740993', '-9007199254740993'])).body.message).toBe('Tensor uploaded successfully');
    expect((await call('get_tensor', { name_or_uuid: 'x' })).body.values).toEqual([
      '9007199254740993',
      '-9007199254740993',
    ]);
  });

  test('23. uuid, dates, dtype, shape, has_code and has_weights are not changed by an update', async () => {
    const { upload, call } = await openDirectory();
    await upload('x', [1]);
    const before = (await call('list_tensors')).body.tensors;
    const updates = { uuid: 'u', creation_date: 'd', original_dtype: 'int8', original_shape: '(9,)' };
    await call('update_tensor_metadata', { name_or_uuid: 'x', metadata_updates: updates });
    expect((await call('list_tensors')).body.tensors).toEqual(before);
    await call('upload_model', embeddings);
    const models = (await call('list_models')).body.models;
    await call('update_model_metadata', {
      name_or_uuid: 'embedding_lookup_table',
      metadata_updates: { has_code: true, has_weights: false, upload_date: 'd' },
    });
    expect((await call('list_models')).body.models).toEqual(models);
  });

  test('24. an error of the model is told in its sentence', needsPython, async () => {
    const { upload, call, ask } = await openDirectory();
    await call('upload_model', { ...enhancer, model_code: "def predict(d): return d['input_image'] / d['missing']" });
    await upload('input_image_data', [1]);
    expect(
      await ask(
        "Run model 'image_enhancer_v1' on tensor 'input_image_data' as input_image and 'input_image_data' as missing",
      ),
    ).toMatch(/^Inference successful/);
    await call('upload_model', { ...enhancer, model_code: 'def predict(d): return 1 / 0' });
    expect(await ask("Run model 'image_enhancer_v1' on tensor 'input_image_data'")).toMatch(
      /^Error during model execution for 'image_enhancer_v1': .*ZeroDivisionError/,
    );
  });

  test('25. a language model that cannot be asked is told in its sentence', async () => {
    const { call } = await openDirectory({ llmUrl: 'http://127.0.0.1:9/v1' });
    const { text, isError } = await call('query_tensor_directory', { prompt: 'tell me a joke' });
    expect(text).toMatch(/^Error analyzing prompt: /);
    expect(isError).toBe(true);
  });
});
