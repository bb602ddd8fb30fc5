/** An `.npy` file, written by hand: the tests must not depend on the code that they test. */
export function npy(descr: string, shape: readonly number[], data: Uint8Array): Buffer {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${sizes}), }`;
  const padded = `${text.padEnd(Math.ceil((11 + text.length) / 64) * 64 - 11)}\n`;
  const start = Buffer.from('\x93NUMPY\x01\x00\x00\x00', 'latin1');
  start.writeUInt16LE(padded.length, 8);
  return Buffer.concat([start, Buffer.from(padded, 'latin1'), data]);
}

export const objectNpy = (pickle: string) => npy('|O', [1], Buffer.from(pickle, 'latin1'));
