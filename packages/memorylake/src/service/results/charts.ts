import type { ChartRenderer } from '../../backends/interface.ts';
import { checkSpec } from '../../domain/charts/check-spec.ts';
import { asObjects, columnsOf, type Spec } from '../../domain/charts/columns.ts';
import { ChartProblem, type ShortChart, specOf } from '../../domain/charts/short-chart.ts';
import { chartFailed } from '../../errors.ts';
import type { TableAnswer } from '../tables.ts';
import type { CodeRuns, MadeFile } from './code-runs.ts';

export type ChartRequest = ShortChart | { readonly type?: undefined; readonly spec: Spec };

export interface DrawnChart {
  /** Without data: the rows are returned separately. */
  readonly spec: Spec;
  readonly file: MadeFile;
  /** Warnings of the chart library. */
  readonly notice: string | undefined;
}

/** Draws charts of query results. */
export class Charts {
  readonly #renderer: ChartRenderer;
  readonly #code: CodeRuns;

  constructor(options: { renderer: ChartRenderer; code: CodeRuns }) {
    this.#renderer = options.renderer;
    this.#code = options.code;
  }

  async draw(
    { columns: names, rows }: TableAnswer,
    chart: ChartRequest,
    { signal, collections }: { readonly signal?: AbortSignal; readonly collections?: readonly string[] | undefined },
  ): Promise<DrawnChart> {
    if (rows.length === 0) throw chartFailed('The query returned no rows, so there is nothing to draw.');
    const spec = checked(chart, names, rows);
    const { png, warnings } = await this.#renderer.draw({ spec, rows: asObjects(names, rows) }, signal);
    const [file] = await this.#code.files([{ name: 'chart.png', data: png }], { collections });
    return { spec, file: file!, notice: warnings.join(' ') || undefined };
  }

  close(): Promise<void> {
    return this.#renderer.close();
  }
}

function checked(chart: ChartRequest, names: readonly string[], rows: TableAnswer['rows']): Spec {
  const columns = columnsOf(names, rows);
  try {
    if (chart.type !== undefined) return specOf(chart, columns, rows.length);
    checkSpec(chart.spec, columns);
    return chart.spec;
  } catch (error) {
    if (error instanceof ChartProblem) throw chartFailed(error.message);
    throw error;
  }
}
