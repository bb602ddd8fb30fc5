// Store a model as Python code and run it on a tensor, inside the sandbox.
import assert from 'node:assert/strict';
import { connect } from './_atoll.mjs';

const { call, close } = await connect('tensor-directory');
await call('upload_tensor', {
  name: 'readings',
  description: 'Three sensors, four hours',
  tensor_data: [
    [1, 2, 3, 4],
    [5, 5, 5, 5],
    [9, 7, 5, 3],
  ],
});
await call('upload_model', {
  name: 'standardise',
  description: 'Each row to mean 0',
  model_code: `
def predict(tensors):
    values = tensors["readings"]
    return values - values.mean(axis=1, keepdims=True)
`,
});
const { uuid, shape } = await call('run_model', {
  model: 'standardise',
  inputs: { readings: 'readings' },
  output_name: 'standardised',
});
const { values } = await call('get_tensor', { name_or_uuid: 'standardised' });
assert.deepEqual(values[1], [0, 0, 0, 0]);
console.log(`${uuid} of shape ${JSON.stringify(shape)}: ${JSON.stringify(values)}`);
await close();
