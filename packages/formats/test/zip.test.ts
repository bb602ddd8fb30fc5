import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { inMemory, unzip, type ZipEntry, zipEntries } from '../src/zip.ts';

const contents = Buffer.from('a line of text\n'.repeat(100));

interface Changes {
  readonly method?: number;
  readonly flags?: number;
  readonly declaredBytes?: number;
  readonly count?: number;
  readonly wide?: boolean;
}

/** An archive of one entry; with `wide` all sizes and places are in the 64-bit fields. */
function archive({ method = 8, flags = 0, declaredBytes = contents.length, count = 1, wide = false }: Changes = {}) {
  const packed = method === 8 ? deflateRawSync(contents) : contents;
  const name = Buffer.from('a.txt');
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(name.length, 26);
  const extra = Buffer.alloc(wide ? 28 : 0);
  if (wide) {
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    for (const [i, value] of [declaredBytes, packed.length, 0].entries())
      extra.writeBigUInt64LE(BigInt(value), 4 + 8 * i);
  }
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(flags, 8);
  entry.writeUInt16LE(method, 10);
  entry.writeUInt32LE(wide ? 0xffffffff : packed.length, 20);
  entry.writeUInt32LE(wide ? 0xffffffff : declaredBytes, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.writeUInt16LE(extra.length, 30);
  entry.writeUInt32LE(wide ? 0xffffffff : 0, 42);
  const body = Buffer.concat([local, name, packed]);
  const directory = Buffer.concat([entry, name, extra]);
  const end64 = Buffer.alloc(wide ? 76 : 0);
  if (wide) {
    end64.writeUInt32LE(0x06064b50, 0);
    end64.writeBigUInt64LE(1n, 32);
    end64.writeBigUInt64LE(BigInt(directory.length), 40);
    end64.writeBigUInt64LE(BigInt(body.length), 48);
    end64.writeUInt32LE(0x07064b50, 56);
    end64.writeBigUInt64LE(BigInt(body.length + directory.length), 64);
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(wide ? 0xffffffff : directory.length, 12);
  end.writeUInt32LE(wide ? 0xffffffff : body.length, 16);
  return Buffer.concat([body, directory, end64, end]);
}

const first = (bytes: Buffer): ZipEntry => zipEntries(inMemory(bytes))[0]!;

describe('zip', () => {
  test.each([{}, { method: 0 }, { wide: true }])('an entry is listed and unpacked: %j', (changes) => {
    const zip = inMemory(archive(changes));
    const entries = zipEntries(zip);
    expect(entries.map(({ name }) => name)).toEqual(['a.txt']);
    expect(unzip(zip, entries[0]!, 10_000)).toEqual(contents);
  });

  test('an archive may have a comment, and something after the directory', () => {
    const bytes = archive();
    const comment = Buffer.from('a comment');
    bytes.writeUInt16LE(comment.length, bytes.length - 2);
    expect(first(Buffer.concat([bytes, comment])).name).toBe('a.txt');
  });

  test.each([
    ['not an archive', Buffer.from('not a zip'), 'damaged'],
    ['empty', Buffer.alloc(0), 'damaged'],
    ['a directory that lacks entries', archive({ count: 2 }), 'damaged'],
    ['encrypted', archive({ flags: 1 }), 'encrypted'],
  ])('%s is refused', (_, bytes, problem) => {
    expect(() => zipEntries(inMemory(bytes))).toThrow(expect.objectContaining({ name: 'FormatError', problem }));
  });

  test('more entries than are allowed are refused', () => {
    expect(() => zipEntries(inMemory(archive()), { maxEntries: 0 })).toThrow('more than 0 entries');
  });

  test('no more is unpacked than is allowed, whatever the archive says', () => {
    const honest = archive();
    expect(() => unzip(inMemory(honest), first(honest), 100)).toThrow('more than the allowed 100 bytes');
    const lying = archive({ declaredBytes: 100 });
    expect(() => unzip(inMemory(lying), first(lying), 10_000)).toThrow('larger than it says');
  });

  test('an unknown method and an entry that is not where it should be are refused', () => {
    const unknown = archive({ method: 12 });
    expect(() => unzip(inMemory(unknown), first(unknown), 10_000)).toThrow('packed in an unknown way');
    const bytes = archive();
    const entry = { ...first(bytes), offset: 5 };
    expect(() => unzip(inMemory(bytes), entry, 10_000)).toThrow('is damaged');
  });

  test('an archive that is cut or changed anywhere is read or refused with a FormatError', () => {
    const bytes = archive({ wide: true });
    for (let at = 0; at < bytes.length; at++) {
      for (const changed of [bytes.subarray(at), bytes.subarray(0, at), flipped(bytes, at)]) {
        try {
          const zip = inMemory(changed);
          for (const entry of zipEntries(zip)) unzip(zip, entry, 10_000);
        } catch (error) {
          expect(error).toMatchObject({ name: 'FormatError' });
        }
      }
    }
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 0xff;
  return copy;
}
