import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadLimits, UnreadableFile } from '../../domain/document.ts';
import { archiveOf } from '../../domain/formats/archive.ts';
import { MAX_PARTS } from '../../domain/formats/cut-off.ts';
import type { FilePart, FileToRead } from '../interface.ts';
import { attachmentsOfMsg } from '../readers/old-office/reader-msg.ts';
import { detectFormat } from '../readers/read-file.ts';
import { attachmentsOfEml } from '../readers/reader-eml.ts';
import { attachmentsOfMbox } from '../readers/reader-mbox.ts';
import { ZipFile } from '../zip.ts';
import { tarParts } from './tar.ts';

/** Archives inside archives deeper than this are refused. */
const MAX_DEPTH = 3;

/** The files inside a mail or an archive, within limits; archives in it are opened too. */
export async function* partsOf(file: FileToRead, limits: ReadLimits): AsyncGenerator<FilePart> {
  let count = 0;
  let bytes = 0;
  for await (const part of open(file, limits, 1)) {
    if (++count > MAX_PARTS) throw new UnreadableFile(`It holds more than ${MAX_PARTS} files, the most that are read`);
    bytes += part.bytes.length;
    if (bytes > limits.maxExpandedBytes) throw new UnreadableFile('It expands to more than may be unpacked');
    yield part;
  }
}

async function* open(file: FileToRead, limits: ReadLimits, depth: number): AsyncGenerator<FilePart> {
  const start = readFileSync(file.path).subarray(0, 64 * 1024);
  const archive = archiveOf(start);
  if (archive === 'tar' || archive === 'gzip') return yield* nested(tarParts(file, archive, limits), limits, depth);
  if (archive === 'zip' && !isDocument(file, limits)) return yield* nested(zipParts(file, limits), limits, depth);
  const format = detectFormat(file, limits);
  if (format === 'eml') yield* await attachmentsOfEml(readFileSync(file.path));
  else if (format === 'mbox') yield* attachmentsOfMbox(readFileSync(file.path));
  else if (format === 'msg') yield* attachmentsOfMsg(readFileSync(file.path));
  else throw new UnreadableFile('It is neither a mail nor an archive');
}

async function* nested(parts: AsyncIterable<FilePart>, limits: ReadLimits, depth: number): AsyncGenerator<FilePart> {
  for await (const part of parts) {
    if (isHidden(part.name)) continue;
    if (archiveOf(part.bytes) === undefined) {
      yield part;
      continue;
    }
    const folder = mkdtempSync(join(tmpdir(), 'memorylake-part-'));
    try {
      const file = { path: join(folder, 'part'), name: part.name };
      writeFileSync(file.path, part.bytes);
      if (archiveOf(part.bytes) === 'zip' && isDocument(file, limits)) yield part;
      else if (depth >= MAX_DEPTH)
        throw new UnreadableFile(`It holds archives in archives more than ${MAX_DEPTH} deep`);
      else
        for await (const inner of open(file, limits, depth + 1)) yield { ...inner, name: `${part.name}/${inner.name}` };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function* zipParts({ path }: FileToRead, limits: ReadLimits): AsyncGenerator<FilePart> {
  const zip = new ZipFile(path, limits);
  try {
    for (const name of zip.names) {
      if (name.endsWith('/')) continue;
      if (zip.sizeOf(name) > limits.maxFileBytes)
        throw new UnreadableFile(`"${name}" in it is larger than may be read`);
      yield { name, bytes: zip.bytes(name)! };
    }
  } finally {
    zip.close();
  }
}

/** Documents of Office and others are zip archives too. */
function isDocument(file: FileToRead, limits: ReadLimits): boolean {
  try {
    detectFormat(file, limits);
    return true;
  } catch {
    return false;
  }
}

const isHidden = (name: string): boolean => /(?:^|\/)(?:\.|~\$|__MACOSX\/)/.test(name);
