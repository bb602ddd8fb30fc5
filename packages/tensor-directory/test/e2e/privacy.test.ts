import { fileURLToPath } from 'node:url';
import { privacySuite } from '@atoll-mcp/testing';
import { expect } from 'vitest';
import { onnxModel } from '../onnx-writer.ts';

const INTEGERS = { type: 7, shape: ['n'] };
/** Run by a native library that would look up a host of its maker's if it were not told otherwise. */
const IDENTITY = onnxModel({
  nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }],
  inputs: [{ name: 'x', ...INTEGERS }],
  outputs: [{ name: 'y', ...INTEGERS }],
});

const CALLS = [
  ['upload_tensor', { name: 'bias', description: 'small', tensor_data: [1, 2, 3] }],
  [
    'upload_model',
    {
      name: 'doubler',
      description: 'doubles',
      language: 'javascript',
      model_code:
        'function predict(inputs) { const { dtype, shape, data } = inputs.bias; return { dtype, shape, data: data.map((n) => n * 2n) }; }',
    },
  ],
  ['run_model', { model: 'doubler', inputs: ['bias'], output_name: 'twice' }],
  ['upload_model', { name: 'same', description: 'as it is', model_onnx: IDENTITY.toString('base64') }],
  ['run_model', { model: 'same', inputs: ['bias'], output_name: 'again' }],
  ['describe_tensor', { name_or_uuid: 'twice' }],
  ['plot_tensor', { name_or_uuid: 'twice' }],
  ['export_tensor', { name_or_uuid: 'twice', format: 'npy' }],
  ['query_tensor_directory', { prompt: 'What is the mean of bias?' }],
] as const;

privacySuite({
  cli: fileURLToPath(new URL('../../dist/cli.js', import.meta.url)),
  workout: async (client) => {
    for (const [name, args] of CALLS) {
      const result = await client.callTool({ name, arguments: args });
      expect(result.isError ?? false, `${name}: ${JSON.stringify(result.content)}`).toBe(false);
    }
  },
});
