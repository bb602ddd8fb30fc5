import { FormatError } from '@atoll-mcp/formats/format-error';
import type { FoundTensors } from '../../domain/formats/format.ts';

/** Reads one kind of file with a library. Throws `FormatError` or `PackageMissing`; whatever else it throws means damage. */
export type Parser = (file: ParsedFile, maxBytes: number) => Promise<FoundTensors>;

export interface ParsedFile {
  readonly sizeBytes: number;
  /** Aligned, and of its own: libraries look at it as typed arrays. */
  read(start: number, end: number): ArrayBuffer;
}

export class PackageMissing extends Error {
  override readonly name = 'PackageMissing';
  constructor(readonly packageName: string) {
    super(`${packageName} is not installed`);
  }
}

/** Packages are optional, and loaded when a file needs them. */
export async function loaded<T>(packageName: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND';
    throw isMissing ? new PackageMissing(packageName) : cause;
  }
}

/** Refuses what only has the right name. */
export function checkStart({ read, sizeBytes }: ParsedFile, kind: string, starts: readonly string[], at = 0): void {
  const length = Math.max(...starts.map((start) => start.length));
  const found = Buffer.from(read(at, Math.min(sizeBytes, at + length))).toString('latin1');
  if (!starts.some((start) => found.startsWith(start))) throw new FormatError(`it is not a ${kind} file`);
}
