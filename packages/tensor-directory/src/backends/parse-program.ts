import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { LibraryFormat } from '../domain/formats/format.ts';
import { formatOf } from '../domain/formats/formats.ts';
import { readFrames } from './child/frames.ts';
import { guard, watch } from './child/guard.ts';
import type { ParseAnswer, ParseMessage } from './parse-messages.ts';
import { parseArrow } from './parsers/arrow.ts';
import { parseHdf5 } from './parsers/hdf5.ts';
import { parseJpeg } from './parsers/jpeg.ts';
import { parseParquet } from './parsers/parquet.ts';
import { PackageMissing, type ParsedFile, type Parser } from './parsers/parser.ts';
import { parseTiff } from './parsers/tiff.ts';

// The program of a process that reads one file, and of the thread in it that watches over the memory.

const PARSERS: Readonly<Record<LibraryFormat, Parser>> = {
  parquet: parseParquet,
  arrow: parseArrow,
  hdf5: parseHdf5,
  jpeg: parseJpeg,
  tiff: parseTiff,
};
const MAX_MESSAGE_BYTES = 1 << 20;

if (isMainThread) await serve((JSON.parse(process.argv[2]!) as { memoryBytes: number }).memoryBytes);
else watch();

async function serve(memoryBytes: number): Promise<void> {
  const answer: (header: ParseAnswer, payload?: readonly Uint8Array[]) => void = guard(import.meta.url, memoryBytes);
  for await (const { header } of readFrames<ParseMessage>(process.stdin, () => MAX_MESSAGE_BYTES)) {
    try {
      const { tensors, skipped = [] } = await parse(header);
      const described = tensors.map(({ key, tensor: { dtype, shape, isComplex } }) => ({
        ...(key !== undefined && { key }),
        dtype,
        shape,
        ...(isComplex && { isComplex }),
      }));
      answer(
        { kind: 'done', tensors: described, skipped },
        tensors.map(({ tensor }) => tensor.data),
      );
    } catch (error) {
      if (error instanceof PackageMissing) answer({ kind: 'missing', packageName: error.packageName });
      // What a library says about a file is not ours to repeat.
      else
        answer({ kind: 'failed', problem: error instanceof FormatError ? error.message : 'it is damaged or cut off' });
    }
  }
}

async function parse({ path, extension, maxBytes }: ParseMessage) {
  const format = formatOf(extension);
  const file = openSync(path, 'r');
  try {
    const content = opened(file);
    if (typeof format === 'string') return await PARSERS[format](content, maxBytes);
    return format.read(new Uint8Array(content.read(0, content.sizeBytes)), { maxBytes });
  } finally {
    closeSync(file);
  }
}

function opened(file: number): ParsedFile {
  const sizeBytes = fstatSync(file).size;
  return {
    sizeBytes,
    read(start, end) {
      if (start < 0 || end < start || end > sizeBytes) throw new FormatError('it is damaged or cut off');
      const bytes = new Uint8Array(end - start);
      for (let done = 0; done < bytes.length; ) {
        const read = readSync(file, bytes, done, bytes.length - done, start + done);
        if (read === 0) throw new FormatError('it ends early');
        done += read;
      }
      return bytes.buffer;
    },
  };
}
