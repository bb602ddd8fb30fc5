// import_tensors of a PyTorch file of 1 GB, against a durable copy of that file on the same disk. In turns, the best of each.
import { closeSync, fsyncSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { report, start, temporaryFolder } from './_program.mjs';

const TENSORS = 8;
const BYTES = Math.floor((Number(process.env.MEGABYTES ?? 1_000) * 1e6) / TENSORS / 4) * 4;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const folder = temporaryFolder();
const path = join(folder, 'big.pt');

process.env.TENSOR_DIRECTORY_IMPORT_ROOT = folder;
writeCheckpoint();
const copies = [];
const imports = [];
let peak = 0;
for (let round = 0; round < ROUNDS; round++) {
  copies.push(copy(join(folder, 'copy')));
  const program = await start(join(folder, `data-${round}`));
  await program.call('upload_tensor', { name: 'warm', description: '', tensor_data: [1.5] });
  const began = performance.now();
  const answer = await program.call('import_tensors', { path });
  imports.push(performance.now() - began);
  if (answer.tensors?.length !== TENSORS) throw new Error(JSON.stringify(answer));
  peak = Math.max(peak, program.peakBytes() ?? 0);
  await program.stop();
  rmSync(join(folder, `data-${round}`), { recursive: true });
}
const size = statSync(path).size;
const rate = (times) => Math.round(size / 1e3 / Math.min(...times));
const speed = Math.min(...copies) / Math.min(...imports);
report({
  bench: 'tensor-directory/import',
  megabytes: Math.round(size / 1e6),
  import_mb_per_s: rate(imports),
  copy_mb_per_s: rate(copies),
  speed,
  target_speed: 0.7,
  peak_mb: Math.round(peak / 1e6),
  holds: speed >= 0.7,
});
rmSync(folder, { recursive: true });

function copy(target) {
  const began = performance.now();
  const [from, to] = [openSync(path), openSync(target, 'w')];
  const piece = Buffer.alloc(1 << 20);
  for (let read = readSync(from, piece); read > 0; read = readSync(from, piece)) writeSync(to, piece, 0, read);
  fsyncSync(to);
  closeSync(from);
  closeSync(to);
  const took = performance.now() - began;
  rmSync(target);
  return took;
}

/** As torch.save writes a dictionary of tensors: a pickle and one stored entry for each storage. */
function writeCheckpoint() {
  const values = new Float32Array(BYTES / 4);
  const file = openSync(path, 'w');
  const directory = [];
  let at = 0;
  const write = (bytes) => {
    writeSync(file, bytes);
    at += bytes.length;
  };
  const entry = (name, bytes) => {
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt32LE(crc32(bytes), 14);
    head.writeUInt32LE(bytes.length, 18);
    head.writeUInt32LE(bytes.length, 22);
    head.writeUInt16LE(name.length, 26);
    const listed = Buffer.alloc(46);
    listed.writeUInt32LE(0x02014b50, 0);
    head.copy(listed, 8, 6, 28);
    listed.writeUInt16LE(name.length, 28);
    listed.writeUInt32LE(at, 42);
    directory.push(listed, Buffer.from(name));
    write(head);
    write(Buffer.from(name));
    write(bytes);
  };
  entry('big/data.pkl', pickle());
  for (let i = 0; i < TENSORS; i++) {
    for (let j = 0; j < values.length; j++) values[j] = Math.fround((j * 31 + i) % 977);
    entry(`big/data/${i}`, Buffer.from(values.buffer));
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(TENSORS + 1, 8);
  end.writeUInt16LE(TENSORS + 1, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  write(listed);
  write(end);
  fsyncSync(file);
  closeSync(file);
}

function pickle() {
  const word = (text) =>
    Buffer.concat([Buffer.from('X'), Buffer.from(Uint32Array.of(text.length).buffer), Buffer.from(text)]);
  const int = (value) => Buffer.concat([Buffer.from('J'), Buffer.from(Int32Array.of(value).buffer)]);
  const plain = (text) => Buffer.from(text, 'latin1');
  const parts = [plain('\x80\x02}(')];
  for (let i = 0; i < TENSORS; i++)
    parts.push(
      ...[
        word(`layer.${i}`),
        plain('ctorch._utils\n_rebuild_tensor_v2\n(('),
        word('storage'),
        plain('ctorch\nFloatStorage\n'),
      ],
      ...[word(String(i)), word('cpu'), int(BYTES / 4), plain('tQK\x00('), int(BYTES / 4), plain('t(K\x01t\x89')],
      plain('ccollections\nOrderedDict\n)RtR'),
    );
  return Buffer.concat([...parts, plain('u.')]);
}
