import type { Dtype } from '@atoll-mcp/formats/dtypes';

/** What the library does not tell of a dataset and its values depend on. */
interface StoredType {
  /** Undefined where the numbers lie in a way that no dtype has. */
  readonly dtype: Dtype | undefined;
  /** Its values are in files beside this one. */
  readonly isExternal: boolean;
}

const DATATYPE = 3;
const EXTERNAL_FILES = 7;
const CONTINUATION = 16;
const SHARED = 2;
const MAX_BLOCKS = 1_000;

/** Position of exponent and mantissa, their bits, and the bias of the exponent. */
const FLOATS: ReadonlyMap<string, Dtype> = new Map([
  ['10,5,0,10,15', 'float16'],
  ['7,8,0,7,127', 'bfloat16'],
  ['23,8,0,23,127', 'float32'],
  ['52,11,0,52,1023', 'float64'],
]);

interface Message {
  readonly type: number;
  readonly flags: number;
  readonly data: Buffer;
}

/**
 * Reads the header of a dataset at its address. The library takes every number of two bytes for a whole or half one, whatever
 * its bits mean. Throws a `RangeError` where the file ends early.
 */
export function storedType(file: Buffer, address: number, base: number): StoredType {
  const messages = [...messagesAt(file, address, base)];
  const datatype = messages.find(({ type }) => type === DATATYPE);
  return {
    dtype: datatype && dtypeIn(sharedOf(file, datatype, base) ?? datatype.data),
    isExternal: messages.some(({ type }) => type === EXTERNAL_FILES),
  };
}

function dtypeIn(message: Buffer): Dtype | undefined {
  const [kind, flags, sign] = [message[0]! & 15, message[1]!, message[2]!];
  const bytes = message.readUInt32LE(4);
  if (message.readUInt16LE(8) !== 0 || message.readUInt16LE(10) !== bytes * 8) return undefined;
  if (kind === 0) return `${flags & 8 ? '' : 'u'}int${bytes * 8}` as Dtype;
  // Bytes in one of the two usual orders, a leading one that is not stored, and the sign in the highest bit.
  if (kind !== 1 || (flags & 0x70) !== 0x20 || sign !== bytes * 8 - 1) return undefined;
  return FLOATS.get([...message.subarray(12, 16), message.readUInt32LE(16)].join());
}

/** A named datatype has a header of its own. */
function sharedOf(file: Buffer, { flags, data }: Message, base: number): Buffer | undefined {
  if (!(flags & SHARED)) return undefined;
  const address = addressAt(data, data[0] === 1 ? 8 : 2);
  for (const { type, data: inner } of messagesAt(file, address, base)) if (type === DATATYPE) return inner;
  throw new RangeError('The datatype is missing');
}

function* messagesAt(file: Buffer, address: number, base: number): Generator<Message> {
  const at = base + address;
  const isOld = file.readUInt8(at) === 1;
  if (!isOld && file.toString('latin1', at, at + 4) !== 'OHDR') throw new RangeError('There is no header');
  const flags = isOld ? 0 : file.readUInt8(at + 5);
  const sizeAt = isOld ? at + 8 : at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
  const sizeBytes = isOld ? 4 : 1 << (flags & 3);
  const start = isOld ? at + 16 : sizeAt + sizeBytes;
  const blocks = [{ start, end: start + Number(file.readUIntLE(sizeAt, Math.min(6, sizeBytes))) }];
  const headBytes = isOld ? 8 : flags & 4 ? 6 : 4;
  for (let i = 0; i < blocks.length && i < MAX_BLOCKS; i++) {
    const { end } = blocks[i]!;
    for (let from = blocks[i]!.start; from + headBytes <= end; ) {
      const type = isOld ? file.readUInt16LE(from) : file.readUInt8(from);
      const length = file.readUInt16LE(from + (isOld ? 2 : 1));
      const message = {
        type,
        flags: file.readUInt8(from + (isOld ? 4 : 3)),
        data: file.subarray(from + headBytes, from + headBytes + length),
      };
      if (type === CONTINUATION) {
        const next = base + addressAt(message.data, 0);
        const size = addressAt(message.data, 8);
        // A block of the newer kind begins with its signature and ends with a checksum.
        blocks.push(isOld ? { start: next, end: next + size } : { start: next + 4, end: next + size - 4 });
      } else yield message;
      from += headBytes + length;
    }
  }
}

function addressAt(bytes: Buffer, at: number): number {
  return Number(bytes.readBigUInt64LE(at));
}
