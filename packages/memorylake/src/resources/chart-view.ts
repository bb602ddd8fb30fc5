import { appView } from '@atoll-mcp/core';
import type { Lake } from '../service/limits/lake.ts';

/** The picture of `chart_memory_tables` above the rows it was drawn from, for clients that show views. */
export const chartView = appView<Lake>({
  uri: 'ui://memorylake/chart',
  name: 'chart-view',
  title: 'Chart of tables',
  description: 'Shows the picture that chart_memory_tables drew, and its rows.',
  style:
    'table { border-collapse: collapse; } td, th { padding: 2px 8px; text-align: left; border-bottom: 1px solid #8aa6; }',
  show: `
  const { columns = [], rows = [], n = 0, notice } = (result.structuredContent || {}).result || {};
  const picture = result.content.find(({ type }) => type === 'image');
  if (picture) add(root, 'img', undefined, { src: 'data:' + picture.mimeType + ';base64,' + picture.data, alt: 'Chart of ' + columns.join(', '), class: 'chart' });
  if (notice) add(root, 'p', notice, { class: 'hint' });
  const details = add(root, 'details');
  add(details, 'summary', rows.length < n ? 'The first ' + rows.length + ' of ' + n + ' rows' : n + (n === 1 ? ' row' : ' rows'));
  const table = add(details, 'table');
  const head = add(table, 'tr');
  for (const name of columns) add(head, 'th', name);
  for (const row of rows) {
    const line = add(table, 'tr');
    for (const cell of row) add(line, 'td', cell === null ? '' : String(cell));
  }`,
});
