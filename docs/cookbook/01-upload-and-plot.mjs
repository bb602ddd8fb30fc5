// Upload a tensor, read its figures, and get a picture of it.
import assert from 'node:assert/strict';
import { connect } from './_atoll.mjs';

const { client, call, close } = await connect('tensor-directory');
const waves = Array.from({ length: 40 }, (_, y) =>
  Array.from({ length: 60 }, (_, x) => Math.sin(x / 6) * Math.cos(y / 5)),
);
const { uuid } = await call('upload_tensor', { name: 'waves', description: 'Ripples on a pond', tensor_data: waves });

const { statistics } = await call('describe_tensor', { name_or_uuid: 'waves' });
assert.equal(statistics.count, 2400);

const { content } = await client.callTool({
  name: 'plot_tensor',
  arguments: { name_or_uuid: 'waves', kind: 'heatmap' },
});
const picture = content.find(({ type }) => type === 'image');
assert.equal(picture.mimeType, 'image/png');
console.log(`${uuid} holds ${statistics.count} values; its picture has ${picture.data.length} characters of base64`);
await close();
