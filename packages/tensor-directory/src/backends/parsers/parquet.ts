import { type Dtype, isDtype } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { SchemaElement, SchemaTree } from 'hyparquet';
import { ColumnCollector, type ColumnType } from '../../domain/formats/columns.ts';
import { checkStart, loaded, type Parser } from './parser.ts';

const PLAIN: ReadonlyMap<string, Dtype> = new Map([
  ['BOOLEAN', 'bool'],
  ['INT32', 'int32'],
  ['INT64', 'int64'],
  ['FLOAT', 'float32'],
  ['DOUBLE', 'float64'],
]);

/** Columns of numbers, and of lists of numbers that all have the same length. One column is read at a time. */
export const parseParquet: Parser = async (file, maxBytes) => {
  checkStart(file, 'Parquet', ['PAR1']);
  const { parquetMetadataAsync, parquetRead, parquetSchema } = await loaded('hyparquet', () => import('hyparquet'));
  const { compressors } = await loaded('hyparquet-compressors', () => import('hyparquet-compressors'));
  const source = {
    byteLength: file.sizeBytes,
    slice: (start: number, end = file.sizeBytes) => file.read(start, Math.min(end, file.sizeBytes)),
  };
  // Looking for columns of places, which are not read, never ends when a field counts fewer than none below it.
  const metadata = await parquetMetadataAsync(source, { geoparquet: false });
  checkCounts(metadata.schema);
  const columns = new ColumnCollector(Number(metadata.num_rows), maxBytes);
  for (const field of parquetSchema(metadata).children) {
    const { name } = field.element;
    const type = columnType(field);
    if (typeof type === 'string') {
      columns.skip(name, type);
      continue;
    }
    const reader = columns.open(type);
    const chunks: { readonly rowStart: number; readonly columnData: Iterable<unknown> }[] = [];
    // Row groups arrive as they are done, and what is thrown in the callback is lost.
    await parquetRead({
      file: source,
      metadata,
      columns: [name],
      compressors,
      onChunk: (chunk) => chunks.push(chunk),
    });
    for (const { columnData } of chunks.sort((a, b) => a.rowStart - b.rowStart)) reader.add(columnData);
    columns.keep(name, reader);
  }
  return columns.found();
};

function checkCounts(schema: readonly SchemaElement[]): void {
  const wrong = schema.find(({ num_children: count = 0 }) => count < 0 || count >= schema.length);
  if (wrong) throw new FormatError(`its schema says that '${wrong.name}' has ${wrong.num_children} fields`);
}

/** The type of its values, or what it holds instead. */
function columnType(field: SchemaTree): ColumnType | string {
  const { element, children } = field;
  const isList = element.logical_type?.type === 'LIST' || element.converted_type === 'LIST';
  if (!isList) return children.length > 0 ? 'nested values' : leafType(element, element.repetition_type === 'REPEATED');
  const [repeated, ...others] = children;
  const [item = repeated, ...more] = repeated?.children ?? [];
  if (!item || others.length > 0 || more.length > 0 || item.children.length > 0) return 'nested values';
  return leafType(item.element, true);
}

function leafType(element: SchemaElement, isList: boolean): ColumnType | string {
  const { type = '', logical_type: logical, converted_type: converted } = element;
  const dtype = dtypeOf(element);
  if (dtype) return { dtype, isList };
  const kind = logical?.type ?? converted ?? type;
  return ['STRING', 'UTF8'].includes(kind) ? 'text' : kind.toLowerCase().replaceAll('_', ' ');
}

function dtypeOf({ type, logical_type: logical, converted_type: converted }: SchemaElement): Dtype | undefined {
  if (logical?.type === 'FLOAT16') return 'float16';
  if (logical?.type === 'INTEGER') return named(`${logical.isSigned ? '' : 'u'}int${logical.bitWidth}`);
  if (converted !== undefined) return named(converted.toLowerCase().replace('_', ''));
  return logical === undefined ? PLAIN.get(type ?? '') : undefined;
}

const named = (name: string): Dtype | undefined => (isDtype(name) ? name : undefined);
