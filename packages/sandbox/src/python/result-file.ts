import { open } from 'node:fs/promises';
import type { Tensor } from '../interface.ts';
import { tensorProblem } from '../tensor.ts';
import type { DescribedTensor } from './messages.ts';

/** The tensor that a worker left in its file, or what is wrong with it. Neither description nor file is to be believed. */
export async function readResult(
  path: string,
  { dtype, shape, bytes }: DescribedTensor,
  mostBytes: number,
): Promise<Tensor | string> {
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0 || Number(bytes) > mostBytes)
    return 'its size is out of bounds';
  const data = new Uint8Array(Number(bytes));
  const problem = tensorProblem({ dtype, shape, data });
  if (problem) return problem;
  const file = await open(path);
  try {
    const { bytesRead } = await file.read(data, 0, data.byteLength, 0);
    return bytesRead === data.byteLength ? ({ dtype, shape, data } as Tensor) : 'it is not all there';
  } finally {
    await file.close();
  }
}
