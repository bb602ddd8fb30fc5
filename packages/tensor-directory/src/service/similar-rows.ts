import { countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import type { TensorItem } from '../backends/interface.ts';
import { NearestRows } from '../domain/compare/nearest-rows.ts';
import { toDoubles } from '../domain/values/elements.ts';
import { notSearchable } from '../errors.ts';
import type { TensorReader } from './tensor-reader.ts';

/** The rows of a tensor most similar to one of them. Rows are the entries of the first axis. */
export async function similarRows(
  reader: TensorReader,
  item: TensorItem,
  { row, limit, signal }: { row: number; limit: number; signal?: AbortSignal | undefined },
) {
  const { shape, dtype } = item.values;
  const [rows = 0, ...inner] = shape;
  if (shape.length < 2 || countOf(inner) === 0)
    throw notSearchable(item.name, `its shape is ${shapeText(shape)}; rows of vectors have two dimensions or more`);
  const index = row < 0 ? rows + row : row;
  if (index < 0 || index >= rows)
    throw notSearchable(item.name, `it has no row ${row}; its rows are 0 to ${rows - 1}, or -1 for the last`);
  const own = await reader.part(item, reader.picks(item, String(index)));
  const nearest = new NearestRows(toDoubles(dtype, own.data), index, limit);
  if (!nearest.isUsable) throw notSearchable(item.name, `row ${row} is all zeros, or has values that are not finite`);
  for await (const values of reader.doubles(item)) {
    signal?.throwIfAborted();
    nearest.add(values);
  }
  return { item, row: index, compared: rows - 1, ...nearest.result() };
}
