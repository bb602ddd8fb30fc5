import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOf, STORED_DTYPES } from '../src/dtypes.ts';
import { halfToNumber, numberToHalf } from '../src/narrow-floats.ts';
import { npyFile, parseNpy } from '../src/npy.ts';
import { encodePng } from '../src/png.ts';
import { parseSafetensors, safetensorsFile } from '../src/safetensors.ts';

const tensors = fc
  .record({
    dtype: fc.constantFrom(...STORED_DTYPES),
    shape: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
  })
  .chain(({ dtype, shape }) => {
    const length = bytesOf(dtype, shape);
    return fc.uint8Array({ minLength: length, maxLength: length }).map((data) => ({ dtype, shape, data }));
  });

test('arrays of every type and shape are written and read again', () => {
  fc.assert(
    fc.property(tensors, (tensor) => {
      const npy = parseNpy(Buffer.concat(npyFile(tensor)));
      expect({ ...npy, data: [...npy.data] }).toEqual({ ...tensor, data: [...tensor.data] });
      const [found] = parseSafetensors(Buffer.concat(safetensorsFile('x', tensor, {})));
      expect({ ...found!.tensor, data: [...found!.tensor.data] }).toEqual({ ...tensor, data: [...tensor.data] });
    }),
  );
});

test('a damaged file is refused with a FormatError and nothing else', () => {
  const tensor = { dtype: 'int16', shape: [2, 3], data: new Uint8Array(12) } as const;
  const npy = Buffer.concat(npyFile(tensor));
  const safetensors = Buffer.concat(safetensorsFile('x', tensor, {}));
  for (const [file, parse] of [
    [npy, parseNpy],
    [safetensors, parseSafetensors],
  ] as const) {
    for (let at = 0; at < file.length; at++) {
      for (const damaged of [file.subarray(0, at), Buffer.from(file).fill(0xff, at, at + 1)]) {
        try {
          parse(damaged);
        } catch (error) {
          expect(error).toMatchObject({ name: 'FormatError' });
        }
      }
    }
  }
});

test('each half is the number that it stands for, and back', () => {
  for (let bits = 0; bits < 65_536; bits++) {
    const value = halfToNumber(bits);
    if (!Number.isNaN(value)) expect(numberToHalf(value)).toBe(bits);
  }
});

test.each([
  { filter: 'up', level: 6 },
  { filter: 'none', level: 1 },
] as const)('a picture has the pixels that it was made of: %j', (options) => {
  const rgb = Uint8Array.from({ length: 2 * 3 * 3 }, (_, i) => (i * 37) % 256);
  const png = encodePng(2, 3, rgb, options);
  expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2, 3]);
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
  const pixels: number[] = [];
  for (let y = 0; y < 3; y++) {
    expect(rows[y * 7]).toBe(options.filter === 'up' ? 2 : 0);
    for (let x = 0; x < 6; x++) {
      const above = options.filter === 'up' && y > 0 ? pixels[(y - 1) * 6 + x]! : 0;
      pixels.push((rows[y * 7 + 1 + x]! + above) % 256);
    }
  }
  expect(pixels).toEqual([...rgb]);
});
