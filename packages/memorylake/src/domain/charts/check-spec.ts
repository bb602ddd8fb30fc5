import { checkView } from './check-view.ts';
import { type Column, columnName, type Spec } from './columns.ts';
import { ChartProblem } from './short-chart.ts';

const DATA_KEYS = new Set(['data', 'datasets', 'url', 'href', 'lookup', 'usermeta']);
const MAX_PIXELS = 4_000;
const MAX_DEPTH = 40;
/** A column in an expression. */
const DATUM = /\bdatum(?:\.([A-Za-z_]\w*)|\[\s*["']([^"']+)["']\s*\])/g;

/** Refuses a spec that brings or loads data, draws pictures from elsewhere, is too large, or names columns that are not there. */
export function checkSpec(spec: Spec, columns: readonly Column[]): void {
  const fields = new Set<string>();
  const made = new Set(['key', 'value', 'count']);
  let isOpen = false;
  const visit = (value: unknown, key: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw new ChartProblem('The spec is nested too deeply.');
    if (Array.isArray(value)) {
      if (key === 'as') for (const name of value) made.add(String(name));
      for (const item of value) visit(item, key, depth + 1);
      return;
    }
    if (value === null || typeof value !== 'object') {
      if (key === 'field' && typeof value === 'string') fields.add(columnName(value));
      if (key === 'as' && typeof value === 'string') made.add(value);
      if ((key === 'calculate' || key === 'filter') && typeof value === 'string')
        for (const [, plain, quoted] of value.matchAll(DATUM)) fields.add((plain ?? quoted)!);
      if (key === 'pivot') isOpen = true;
      if ((key === 'width' || key === 'height') && typeof value === 'number' && value > MAX_PIXELS)
        throw new ChartProblem(`"${key}" is at most ${MAX_PIXELS}.`);
      if ((key === 'mark' || key === 'type') && value === 'image')
        throw new ChartProblem('The mark "image" is refused: a chart loads nothing from anywhere.');
      return;
    }
    for (const [name, item] of Object.entries(value)) {
      if (DATA_KEYS.has(name)) {
        throw new ChartProblem(
          `"${name}" is refused: the data of a chart is what its "sql" returns, and nothing is loaded from anywhere. Leave it out.`,
        );
      }
      visit(item, name, depth + 1);
    }
  };
  visit(spec, '', 0);
  // What a transform makes is not judged by the values of the query.
  checkView(
    spec,
    columns.filter(({ name }) => !made.has(name)),
  );
  for (const { name } of columns) made.add(name);
  const missing = isOpen ? undefined : [...fields].find((field) => !isMade(field, made));
  if (missing === undefined) return;
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  throw new ChartProblem(`The query has no column "${missing}". It has: ${names}.`);
}

/** Aggregates are named after their field, such as `mean_fee`. */
const isMade = (field: string, made: ReadonlySet<string>): boolean =>
  made.has(field) || [...made].some((name) => field.endsWith(`_${name}`));
