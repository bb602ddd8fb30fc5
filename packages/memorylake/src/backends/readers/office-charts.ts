import type { DocumentWriter } from '../../domain/text/document-writer.ts';
import { unescapeXml } from '../../domain/text/xml-text.ts';

const MOST_POINTS = 10_000;

/** Writes a chart's title and its values as a table: a row for each category, a column for each series. */
export function writeChart(xml: string, writer: DocumentWriter): void {
  const title = [...(/<c:title>([\s\S]*?)<\/c:title>/.exec(xml)?.[1] ?? '').matchAll(/<a:t>([^<]*)</g)]
    .map((match) => unescapeXml(match[1]!))
    .join('');
  const series = [...xml.matchAll(/<c:ser>([\s\S]*?)<\/c:ser>/g)].map((match) => ({
    name: [...pointsOf(part(match[1]!, 'tx')).values()][0] ?? '',
    categories: pointsOf(part(match[1]!, 'cat') || part(match[1]!, 'xVal')),
    values: pointsOf(part(match[1]!, 'val') || part(match[1]!, 'yVal')),
  }));
  if (title !== '') writer.paragraph(title);
  const categories = series.find(({ categories }) => categories.size > 0)?.categories ?? new Map<number, string>();
  const rows = [...new Set(series.flatMap(({ values }) => [...values.keys()]))].sort((a, b) => a - b);
  if (rows.length === 0) return;
  writer.openTable();
  writer.openRow();
  for (const name of ['', ...series.map(({ name }) => name)]) cell(writer, name);
  writer.headerEnds();
  for (const row of rows) {
    writer.openRow();
    for (const value of [categories.get(row) ?? '', ...series.map(({ values }) => values.get(row) ?? '')]) {
      cell(writer, value);
    }
  }
  writer.closeTable();
}

function cell(writer: DocumentWriter, text: string): void {
  writer.openCell();
  writer.paragraph(text);
}

const part = (xml: string, name: string): string =>
  new RegExp(`<c:${name}>([\\s\\S]*?)</c:${name}>`).exec(xml)?.[1] ?? '';

function pointsOf(xml: string): Map<number, string> {
  const points = new Map<number, string>();
  for (const match of xml.matchAll(/<c:pt\s[^>]*idx="(\d+)"[^>]*>\s*<c:v>([^<]*)</g)) {
    if (points.size >= MOST_POINTS) break;
    points.set(Number(match[1]), shownValue(match[2]!));
  }
  if (points.size === 0) {
    const value = /<c:v>([^<]*)</.exec(xml)?.[1];
    if (value !== undefined) points.set(0, unescapeXml(value));
  }
  return points;
}

/** A number with the digits that Office shows: `4.4`, kept as `4.4000000000000004`. */
function shownValue(text: string): string {
  return /^-?\d*\.\d{12,}$/.test(text) ? String(Number(Number(text).toPrecision(15))) : unescapeXml(text);
}
