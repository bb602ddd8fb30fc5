import { Semaphore } from '@atoll-mcp/core';
import { bytesOf } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { FoundTensors } from '../domain/formats/format.ts';
import { ChildProgram, ProcessFault } from './child/child-program.ts';
import type { Frame } from './child/frames.ts';
import type { FileParser } from './interface.ts';
import type { ParseAnswer, ParseMessage } from './parse-messages.ts';

const CONCURRENCY = 2;
const MAX_MS = 120_000;
/** Memory of the program and the library, in addition to the file and its values. */
const OVERHEAD_BYTES = 1 << 30;

/** Parses each file in its own process, so that a broken or huge file cannot affect the server. */
export class ProcessParser implements FileParser {
  readonly #slots = new Semaphore(CONCURRENCY);

  parse(file: ParseMessage & { readonly sizeBytes: number }, signal?: AbortSignal): Promise<FoundTensors> {
    return this.#slots.run(async () => {
      const { path, extension, maxBytes, sizeBytes } = file;
      const settings = { memoryBytes: OVERHEAD_BYTES + 2 * (sizeBytes + maxBytes) };
      const program = new ChildProgram<ParseAnswer>({
        program: 'parse-program.js',
        settings,
        maxAnswerBytes: maxBytes,
        answerName: 'its tensors',
      });
      try {
        return await program.during({ timeoutMs: MAX_MS, signal }, async () => {
          program.send({ path, extension, maxBytes } satisfies ParseMessage);
          return foundIn(await program.next());
        });
      } catch (error) {
        throw error instanceof ProcessFault ? new FormatError(`it cannot be read: ${error.message}`) : error;
      } finally {
        program.kill();
      }
    }, signal);
  }
}

function foundIn({ header, payload }: Frame<ParseAnswer>): FoundTensors {
  if (header.kind === 'missing')
    throw new FormatError(
      `reading it takes the package ${header.packageName}; install it with: npm install ${header.packageName}`,
    );
  if (header.kind === 'failed') throw new FormatError(header.problem);
  let at = 0;
  const tensors = header.tensors.map(({ key, dtype, shape, isComplex }) => {
    const size = bytesOf(dtype, shape);
    at += size;
    const data = payload.subarray(at - size, at);
    return { ...(key !== undefined && { key }), tensor: { dtype, shape, data, ...(isComplex && { isComplex }) } };
  });
  if (at !== payload.byteLength)
    throw new FormatError('it cannot be read: its process gave another answer than it announced');
  return { tensors, skipped: header.skipped };
}
