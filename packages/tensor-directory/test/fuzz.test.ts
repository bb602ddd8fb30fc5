import { fuzzSuite } from '@atoll-mcp/testing';
import { contract } from '../src/contract.ts';
import { openDirectory } from './directory.ts';

const words = ['features', 'doubler', 'float32', '0:2,1', 'npy', 'show features', 'run doubler on features as twice'];

fuzzSuite(contract, {
  words,
  corpus: new URL('corpus.json', import.meta.url),
  async connect() {
    const { client, call, upload } = await openDirectory();
    const tensor = await upload('features', [
      [1, 2.5],
      [-3, 4],
    ]);
    const model_code = 'def predict(inputs):\n    return inputs * 2';
    const { body } = await call('upload_model', { name: 'doubler', description: 'doubles', model_code });
    words.push(tensor, String(body.uuid));
    return client;
  },
});
