import { countOf, shapeText } from '@atoll-mcp/formats/dtypes';
import type { ModelItem, TensorItem } from '../backends/interface.ts';
import type { Order } from '../domain/filter.ts';
import { contentOf } from './requests/look/show.ts';

/** What largest and smallest mean: the number of values, not of bytes. */
export function sizesText(items: readonly (TensorItem | ModelItem)[], order: Order): string {
  const counts = items.flatMap((item) => ('values' in item ? [countOf(item.values.shape)] : []));
  if (order === 'newest' || order === 'oldest') return '';
  return new Set(counts).size === 1 ? ` by number of values, ${counts[0]}` : ' by number of values';
}

export function headOf(order: Order, limit = 1): string {
  const title = `${order[0]!.toUpperCase()}${order.slice(1)}`;
  return limit === 1 ? title : `${title} ${limit}`;
}

export function exampleOf(item: TensorItem | ModelItem): string {
  return 'values' in item
    ? `Name='${item.name}', Shape='${shapeText(item.values.shape)}', Dtype='${item.values.dtype}'`
    : `Name='${item.name}', ${contentOf(item)}`;
}

export function listed(examples: readonly string[], total: number, separator: string): string {
  const more = total - examples.length;
  return [...examples, ...(more > 0 ? [`and ${more} more...`] : [])].join(separator);
}
