import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectInMemory, type OriginalCall, originalSuite } from '@atoll-mcp/testing';
import { afterAll, expect } from 'vitest';
import { createTensorDirectoryServer } from '../src/server.ts';

const folders: string[] = [];
const servers: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function connect() {
  const dataDir = mkdtempSync(join(tmpdir(), 'tensor-seed-'));
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
  // As the seed prints it: escaped twice, so the code is one line with "\n" signs in it.
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
  { title: 'upload_tensor stores the feature vector', calls: [uploadFeatures] },
  {
    title: 'upload_tensor refuses an empty list',
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
    title: 'upload_model stores code, or weights, and refuses neither',
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
    title: 'query_tensor_directory finds a tensor, or says that there is none',
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
    title: 'query_tensor_directory searches by dtype',
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
    title: 'query_tensor_directory loads models and says what cannot be run',
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
    title: 'query_tensor_directory says when it does not understand',
    calls: [
      ask(
        'tell me a joke',
        "The intent of your request is unclear or not supported. Please try rephrasing. User prompt: 'tell me a joke'",
      ),
    ],
  },
  {
    title: 'list_tensors filters and pages',
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
    title: 'list_models filters and pages',
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
    title: 'delete_tensor deletes by name and by uuid, and says what it did not find',
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
    title: 'delete_model deletes by name and by uuid, and says what it did not find',
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
    title: 'update_tensor_metadata renames and describes, and says what it did not find',
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
    title: 'update_model_metadata renames and describes, and says what it did not find',
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
    title: "the original's wire form, with all arguments in one object, is accepted",
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
