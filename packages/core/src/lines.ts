import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const NEWLINE = 0x0a;

/**
 * Calls back with each line of a stream that is not empty. A long line grows as text and is put together once, when it is read:
 * kept as buffers it would be copied twice more, which is a lot for a message of a hundred megabytes.
 */
export function readLines(input: Readable, onLine: (line: string) => void): void {
  const decoder = new StringDecoder('utf8');
  let held = '';
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const line = (held + decoder.end(chunk.subarray(start, end))).trim();
      held = '';
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) held += decoder.write(start === 0 ? chunk : chunk.subarray(start));
  });
}

/** Resolves when the line has left the process, so that nothing is lost by ending it then. */
export function writeLine(output: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
