import { open } from 'node:fs/promises';
import type { Limits, OutputFile, RefusedFile, Tensor } from '../interface.ts';
import { fileNameProblem, fileTooLarge, tooManyFiles } from '../output-files.ts';
import { tensorProblem } from '../tensor.ts';
import type { Answer, DescribedTensor } from './messages.ts';

/** The tensor that a worker left in its file, or what is wrong with it. Neither the description nor the file is trusted. */
export async function readResult(
  path: string,
  { dtype, shape, bytes }: DescribedTensor,
  maxBytes: number,
): Promise<Tensor | string> {
  if (!Number.isSafeInteger(bytes) || Number(bytes) < 0 || Number(bytes) > maxBytes) return 'its size is out of bounds';
  const data = new Uint8Array(Number(bytes));
  const problem = tensorProblem({ dtype, shape, data });
  if (problem) return problem;
  const file = await open(path);
  try {
    const { bytesRead } = await file.read(data, 0, data.byteLength, 0);
    return bytesRead === data.byteLength ? ({ dtype, shape, data } as Tensor) : 'it is incomplete';
  } finally {
    await file.close();
  }
}

/** The files that a worker left in its result file, one after another. Neither list is trusted. */
export async function readFiles(
  path: string,
  { files = [], refusedFiles = [] }: Answer,
  { outputFiles, outputFileBytes }: Limits,
): Promise<{ files: OutputFile[]; refusedFiles: RefusedFile[] }> {
  const kept: OutputFile[] = [];
  const refused: RefusedFile[] = [...refusedFiles];
  const file = await open(path);
  try {
    let at = 0;
    for (const { name, bytes } of files) {
      const problem = fileNameProblem(name);
      if (problem) refused.push({ name, reason: problem });
      else if (kept.length >= outputFiles) refused.push(tooManyFiles(name, outputFiles));
      else if (at + bytes > outputFileBytes) refused.push(fileTooLarge(name, bytes, outputFileBytes));
      else {
        const data = new Uint8Array(bytes);
        const { bytesRead } = await file.read(data, 0, bytes, at);
        if (bytesRead === bytes) kept.push({ name, data });
        else refused.push({ name, reason: 'It is incomplete' });
      }
      at += bytes;
    }
    return { files: kept, refusedFiles: refused };
  } finally {
    await file.close();
  }
}
