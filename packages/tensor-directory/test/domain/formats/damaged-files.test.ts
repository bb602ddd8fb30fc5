import { crc32 } from 'node:zlib';
import { bytesOf, DTYPES, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { npyFile, parseNpy } from '@atoll-mcp/formats/npy';
import { parseSafetensors, safetensorsFile } from '@atoll-mcp/formats/safetensors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseNpz } from '../../../src/domain/formats/npz.ts';

const tensors: fc.Arbitrary<Tensor> = fc
  .tuple(fc.constantFrom(...DTYPES), fc.array(fc.nat(4), { maxLength: 4 }))
  .chain(([dtype, shape]) => {
    const size = bytesOf(dtype, shape);
    return fc.uint8Array({ minLength: size, maxLength: size }).map((data) => ({ dtype, shape, data }));
  });
const keys = fc.string({ minLength: 1 }).filter((key) => key !== '__metadata__' && key !== '__proto__');
/** Some bytes changed, and perhaps an end missing. */
const damages = fc.record({
  changes: fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 6 }),
  cut: fc.option(fc.nat(400)),
});

test('arrays come out of .npy files as they went in', () => {
  fc.assert(fc.property(tensors, (tensor) => expectSame(parseNpy(Buffer.concat(npyFile(tensor))), tensor)));
});

test('tensors come out of safetensors files as they went in, whatever their names', () => {
  fc.assert(
    fc.property(tensors, keys, (tensor, key) => {
      const [first, ...others] = parseSafetensors(Buffer.concat(safetensorsFile(key, tensor, {})));
      expect([first?.key, others]).toEqual([key, []]);
      expectSame(first!.tensor, tensor);
    }),
  );
});

test.each([
  ['.npy', (tensor: Tensor) => Buffer.concat(npyFile(tensor)), (file: Buffer) => [parseNpy(file)]],
  [
    'safetensors',
    (tensor: Tensor) => Buffer.concat(safetensorsFile('a', tensor, {})),
    (file: Buffer) => parseSafetensors(file).map((one) => one.tensor),
  ],
  [
    '.npz',
    (tensor: Tensor) => stored('a.npy', Buffer.concat(npyFile(tensor))),
    (file: Buffer) => parseNpz(file, 2 ** 20).tensors.map((one) => one.tensor),
  ],
] as const)('a damaged %s file is refused by name or gives whole tensors', (_, write, read) => {
  fc.assert(fc.property(tensors, (tensor) => expectSame(read(write(tensor))[0]!, tensor)));
  fc.assert(
    fc.property(tensors, damages, (tensor, damage) => {
      const found = readOrFault(() => read(damaged(write(tensor), damage)));
      for (const { dtype, shape, data } of found) expect(data.byteLength).toBe(bytesOf(dtype, shape));
    }),
    { numRuns: 500 },
  );
});

function readOrFault(read: () => Tensor[]): Tensor[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) return [];
    throw error;
  }
}

function damaged(file: Buffer, { changes, cut }: { changes: [number, number][]; cut: number | null }): Buffer {
  const copy = Buffer.from(file);
  for (const [place, value] of changes) if (place < copy.length) copy[place] = value;
  return cut === null ? copy : copy.subarray(0, Math.max(0, copy.length - cut));
}

function expectSame(found: Tensor, tensor: Tensor): void {
  expect({ ...found, data: [...found.data] }).toEqual({ ...tensor, data: [...tensor.data] });
}

/** A zip file of one entry that is not packed. */
function stored(name: string, content: Buffer): Buffer {
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(20, 0);
  facts.writeUInt32LE(crc32(content), 10);
  facts.writeUInt32LE(content.length, 14);
  facts.writeUInt32LE(content.length, 18);
  facts.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), content]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
    facts,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, entry, Buffer.from('PK\x05\x06'), end]);
}
