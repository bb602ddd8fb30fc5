export type Spec = Readonly<Record<string, unknown>>;
export type Kind = 'quantitative' | 'temporal' | 'nominal' | 'ordinal';
export type Value = string | number | null;

export interface Column {
  readonly name: string;
  readonly kind: Kind;
  /** No value of it reads as a number. */
  readonly isText?: true;
}

const DATE = /^\d{4}-\d{2}(?:-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?)?$/;

/** What each column of an answer is to a chart, judged by its values. */
export function columnsOf(names: readonly string[], rows: readonly (readonly Value[])[]): Column[] {
  return names.map((name, at) => {
    const values = rows.map((row) => row[at]).filter((value) => value !== null && value !== undefined);
    if (values.length > 0 && values.every((value) => typeof value === 'number')) return { name, kind: 'quantitative' };
    const isDate = values.length > 0 && values.every((value) => typeof value === 'string' && DATE.test(value));
    if (isDate) return { name, kind: 'temporal' };
    const isText = values.length > 0 && values.every((value) => value === '' || Number.isNaN(Number(value)));
    return { name, kind: 'nominal', ...(isText && { isText }) };
  });
}

/** A column's name as Vega reads fields, where dots and brackets would lead into objects. */
export const fieldName = (name: string): string => name.replace(/[\\.[\]]/g, '\\$&');

export const columnName = (field: string): string => field.replace(/\\(.)/g, '$1');

export const asObjects = (names: readonly string[], rows: readonly (readonly Value[])[]): Record<string, Value>[] =>
  rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
