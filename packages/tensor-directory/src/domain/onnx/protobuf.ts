import { FormatError } from '@atoll-mcp/formats/format-error';

/** One field of a protobuf message: a number, or the bytes of a text, a message, packed numbers or a fixed-size number. */
export type Field = {
  readonly number: number;
  /** The field as it is in the message, key and all. */
  readonly raw: Uint8Array;
} & (
  | { readonly value: bigint; readonly bytes?: undefined }
  | { readonly bytes: Uint8Array; readonly value?: undefined }
);

const MAX_VARINT_BYTES = 10;
const FIXED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };
const LENGTH_DELIMITED = 2;

/** The fields of a message in order. Groups, which ONNX never uses, and anything that ends early are refused. */
export function* fieldsOf(message: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = message[at++];
      if (byte === undefined) throw damaged();
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw damaged();
  };
  const take = (length: number): Uint8Array => {
    if (length > message.byteLength - at) throw damaged();
    at += length;
    return message.subarray(at - length, at);
  };
  const contentOf = (wire: number) => {
    if (wire === 0) return { value: varint() };
    if (wire === LENGTH_DELIMITED) return { bytes: take(sizeFrom(varint())) };
    if (FIXED_BYTES[wire]) return { bytes: take(FIXED_BYTES[wire]) };
    throw damaged();
  };
  while (at < message.byteLength) {
    const start = at;
    const key = varint();
    const number = Number(key >> 3n);
    const wire = Number(key & 7n);
    if (number < 1 || number > 0x1fffffff) throw damaged();
    const content = contentOf(wire);
    yield { number, raw: message.subarray(start, at), ...content };
  }
}

/** A repeated integer field, packed or not. */
export function integersIn(field: Field): bigint[] {
  if (field.value !== undefined) return [BigInt.asIntN(64, field.value)];
  const all: bigint[] = [];
  for (let at = 0; at < field.bytes.byteLength; ) {
    let value = 0n;
    for (let i = 0; ; i++) {
      const byte = field.bytes[at++];
      if (byte === undefined || i >= MAX_VARINT_BYTES) throw damaged();
      value |= BigInt(byte & 0x7f) << BigInt(7 * i);
      if (byte < 0x80) break;
    }
    all.push(BigInt.asIntN(64, value));
  }
  return all;
}

export function textOf(field: Field): string {
  if (field.bytes === undefined) throw damaged();
  return Buffer.from(field.bytes.buffer, field.bytes.byteOffset, field.bytes.byteLength).toString('utf8');
}

export function messageOf(field: Field): Uint8Array {
  if (field.bytes === undefined) throw damaged();
  return field.bytes;
}

export function integerOf(field: Field): bigint {
  if (field.value === undefined) throw damaged();
  return BigInt.asIntN(64, field.value);
}

/** The pieces of a length-delimited field, none of which is copied. */
export function writeBytes(number: number, pieces: readonly Uint8Array[]): Uint8Array[] {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  return [writeVarint(BigInt(number * 8 + LENGTH_DELIMITED)), writeVarint(BigInt(length)), ...pieces];
}

function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    bytes.push(rest ? low | 0x80 : low);
    if (!rest) return Uint8Array.from(bytes);
  }
}

function sizeFrom(value: bigint): number {
  if (value > 0x7fffffffn) throw damaged();
  return Number(value);
}

function damaged(): FormatError {
  return new FormatError('it is not an ONNX model, or it is damaged');
}
