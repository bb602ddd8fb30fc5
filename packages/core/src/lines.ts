import type { Readable, Writable } from 'node:stream';

const NEWLINE = 0x0a;

/** Calls back with each line of a stream that is not empty. Long lines are put together once, at their end. */
export function readLines(input: Readable, onLine: (line: string) => void): void {
  let held: Buffer[] = [];
  input.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      held.push(chunk.subarray(start, end));
      const line = (held.length === 1 ? held[0]! : Buffer.concat(held)).toString('utf8').trim();
      held = [];
      start = end + 1;
      if (line !== '') onLine(line);
    }
    if (start < chunk.length) held.push(start === 0 ? chunk : chunk.subarray(start));
  });
}

/** Resolves when the line has left the process, so that nothing is lost by ending it then. */
export function writeLine(output: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${line}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
