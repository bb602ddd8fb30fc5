// Import a NumPy file and export it as safetensors. Only folders given with --import-root are read.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, newFolder } from './_atoll.mjs';

const folder = newFolder();
const path = join(folder, 'weights.npy');
writeFileSync(path, npy([2, 3], new Float32Array([1, 2, 3, 4, 5, 6])));

const { call, close } = await connect('tensor-directory', { flags: ['--import-root', folder] });
const { tensors } = await call('import_tensors', { path });
const exported = await call('export_tensor', { name_or_uuid: tensors[0].uuid, format: 'safetensors' });

const file = readFileSync(exported.path);
const header = JSON.parse(file.subarray(8, 8 + Number(file.readBigUInt64LE())).toString());
const [entry] = Object.entries(header).filter(([name]) => name !== '__metadata__');
assert.deepEqual([entry[1].dtype, entry[1].shape], ['F32', [2, 3]]);
console.log(
  `${tensors[0].name} (${tensors[0].dtype}) → ${exported.size_bytes} bytes of safetensors, ${entry[0]}: ${JSON.stringify(entry[1])}`,
);
await close();

/** The NumPy format: a magic, a header in Python's words, the values. */
function npy(shape, values) {
  const words = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }`;
  const header = `${words.padEnd(128 - 10 - 1)}\n`;
  const start = Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]);
  return Buffer.concat([start, Buffer.from(header), Buffer.from(values.buffer)]);
}
