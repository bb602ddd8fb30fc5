import { type Dtype, isDtype } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { DataType, Type } from '@uwdata/flechette';
import { ColumnCollector, type ColumnType } from '../../domain/formats/columns.ts';
import { decodeLz4Frame } from './lz4-frame.ts';
import { checkStart, loaded, type Parser } from './parser.ts';

const FILE = 'ARROW1';
/** A stream has no other mark than that of its first message. */
const STREAM = '\xff\xff\xff\xff';

const FLOATS: readonly Dtype[] = ['float16', 'float32', 'float64'];

/** Arrow's files and streams, and Feather, which is the same since its second version. */
export const parseArrow: Parser = async (file, maxBytes) => {
  if (Buffer.from(file.read(0, Math.min(4, file.sizeBytes))).toString('latin1') === 'FEA1')
    throw new FormatError('it is a Feather file of version 1; save it again as version 2');
  checkStart(file, 'Feather or Arrow', [FILE, STREAM]);
  const { CompressionType, setCompressionCodec, tableFromIPC, Type } = await loaded(
    '@uwdata/flechette',
    () => import('@uwdata/flechette'),
  );
  const { decompress } = await loaded('fzstd', () => import('fzstd'));
  const within = (decode: (bytes: Uint8Array, length: number) => Uint8Array) => (bytes: Uint8Array, length: number) => {
    if (!(length <= maxBytes)) throw new FormatError(`a column in it takes more than the allowed ${maxBytes} bytes`);
    return decode(bytes, length);
  };
  const zstd = within((bytes, length) => decompress(bytes, new Uint8Array(length)));
  setCompressionCodec(CompressionType.ZSTD, { decode: zstd, encode: notWritten });
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: within(decodeLz4Frame), encode: notWritten });
  const table = tableFromIPC(file.read(0, file.sizeBytes), { useBigInt: true });
  const columns = new ColumnCollector(table.numRows, maxBytes);
  for (const [i, { name, type }] of table.schema.fields.entries()) {
    const found = columnType(type, Type);
    if (typeof found === 'string') columns.skip(name, found);
    else {
      const reader = columns.open(found);
      reader.add(table.getChildAt(i));
      columns.keep(name, reader);
    }
  }
  return columns.found();
};

/** The type of its values, or what it holds instead. */
function columnType(type: DataType, kinds: typeof Type): ColumnType | string {
  const dtype = dtypeOf(type, kinds);
  if (dtype) return { dtype, isList: false };
  const isList = [kinds.List, kinds.LargeList, kinds.FixedSizeList].some((kind) => kind === type.typeId);
  const item = isList && 'children' in type ? type.children?.[0] : undefined;
  const inner = item && dtypeOf(item.type, kinds);
  if (inner) return { dtype: inner, isList: true };
  if (type.typeId === kinds.Dictionary) return columnType((type as { dictionary: DataType }).dictionary, kinds);
  if (type.typeId === kinds.Utf8 || type.typeId === kinds.LargeUtf8) return 'text';
  const name = Object.entries(kinds).find(([, id]) => id === type.typeId)?.[0];
  return isList ? 'nested values' : (name?.toLowerCase() ?? 'unknown type');
}

function dtypeOf(type: DataType, kinds: typeof Type): Dtype | undefined {
  if (type.typeId === kinds.Dictionary) return dtypeOf((type as { dictionary: DataType }).dictionary, kinds);
  if (type.typeId === kinds.Bool) return 'bool';
  if (type.typeId === kinds.Float) return FLOATS[(type as { precision: number }).precision];
  if (type.typeId !== kinds.Int) return undefined;
  const { bitWidth, signed } = type as { bitWidth: number; signed: boolean };
  const name = `${signed ? '' : 'u'}int${bitWidth}`;
  return isDtype(name) ? name : undefined;
}

function notWritten(): never {
  throw new Error('Nothing is written in this format');
}
