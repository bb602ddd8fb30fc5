import { readFile } from 'node:fs/promises';
import { DTYPES, type Dtype, type Tensor } from '../interface.ts';
import { ITEM_BYTES, tensorProblem } from '../tensor.ts';

const KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ b: 'bool', i: 'int', u: 'uint', f: 'float' }),
);

/** Reads an `.npy` file of numbers, row-major and little-endian. Throws an Error that says what doesn't fit. */
export async function readNpy(path: string): Promise<Tensor> {
  const file = await readFile(path).catch(() => {
    throw new Error('its file cannot be read');
  });
  const version = file.subarray(0, 6).toString('latin1') === '\x93NUMPY' ? file[6] : undefined;
  if (version !== 1 && version !== 2) throw new Error('it is no .npy file of version 1 or 2');
  const [start, length] = version === 1 ? [10, file.readUInt16LE(8)] : [12, file.readUInt32LE(8)];
  const header = file.subarray(start, start + length).toString('latin1');
  const descr = /'descr':\s*'([<|=>])([biuf])(\d+)'/.exec(header);
  const dtype = descr && dtypeOf(descr[2]!, Number(descr[3]));
  const shape = /'shape':\s*\(([\d, ]*)\)/
    .exec(header)?.[1]
    ?.split(',')
    .filter((size) => size.trim())
    .map(Number);
  if (!dtype || !shape) throw new Error('it holds no plain numbers');
  if (descr[1] === '>') throw new Error('its numbers are big-endian');
  if (/'fortran_order':\s*True/.test(header) && shape.filter((size) => size > 1).length > 1)
    throw new Error('it is column-major');
  const data = file.subarray(
    start + length,
    start + length + shape.reduce((product, size) => product * size, ITEM_BYTES[dtype]),
  );
  const problem = tensorProblem({ dtype, shape, data });
  if (problem) throw new Error(problem);
  return { dtype, shape, data };
}

function dtypeOf(kind: string, bytes: number): Dtype | undefined {
  return DTYPES.find((name) => name === (kind === 'b' ? 'bool' : `${KINDS.get(kind)}${bytes * 8}`));
}
