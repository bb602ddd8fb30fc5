// Ask the directory in sentences instead of with arguments. No language model is involved.
import assert from 'node:assert/strict';
import { connect } from './_atoll.mjs';

const { client, call, close } = await connect('tensor-directory');
await call('upload_tensor', {
  name: 'photo',
  description: 'A grey square',
  tensor_data: [
    [0.1, 0.2],
    [0.3, 0.4],
  ],
});

for (const prompt of [
  "What is the shape of tensor 'photo'?",
  'How many tensors are there?',
  "Find tensor 'painting'",
]) {
  const { content } = await client.callTool({ name: 'query_tensor_directory', arguments: { prompt } });
  assert.ok(content[0].text.length > 0);
  console.log(`${prompt}\n  ${content[0].text}`);
}
await close();
