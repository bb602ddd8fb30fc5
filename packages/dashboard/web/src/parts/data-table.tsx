import { t } from '../lib/texts.ts';
import { Highlight } from './highlight.tsx';

/** Rows and columns, as they are. */
export function DataTable({
  columns,
  rows,
  label = t('Table'),
  words = '',
  role = 'region',
}: {
  columns: readonly string[];
  rows: readonly (readonly unknown[])[];
  label?: string;
  /** Marked wherever they stand. */
  words?: string;
  /** A group where tables of the same name may stand beside each other. */
  role?: 'region' | 'group';
}) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles take a label
    <div class="table" tabIndex={0} role={role} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th scope="col" key={index} class={isFigure(rows[0]?.[index]) ? 'number' : ''}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((_, at) => (
                <td key={at} class={isFigure(row[at]) ? 'number' : ''}>
                  <Highlight text={cell(row[at])} words={words} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Figures stand under each other, also where they came as text. */
function isFigure(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d[\d,]*(\.\d+)?$/.test(value));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
