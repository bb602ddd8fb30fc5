import { type Column, columnName, type Spec } from './columns.ts';
import { ChartProblem } from './short-chart.ts';

const words = (text: string): readonly string[] => text.split(' ');

const MARKS = words(
  'arc area bar boxplot circle errorband errorbar geoshape line point rect rule square text tick trail',
);
const CHANNELS = words(
  'x y x2 y2 xOffset yOffset xError yError xError2 yError2 theta theta2 radius radius2 longitude latitude longitude2 latitude2 color fill stroke opacity fillOpacity strokeOpacity strokeWidth strokeDash size angle shape detail key text tooltip description order time row column facet',
);
const TYPES = words('quantitative temporal ordinal nominal geojson');
const AGGREGATES = words(
  'count valid missing distinct sum product mean average variance variancep stdev stdevp stderr median q1 q3 ci0 ci1 min max argmin argmax values exponential exponentialb',
);
const TRANSFORMS = words(
  'aggregate bin calculate density extent filter flatten fold impute joinaggregate loess pivot quantile regression sample stack timeUnit window',
);
const COMPOSED = words('layer hconcat vconcat concat');
const UNIT = /^(?:utc|binned)*(?:year|quarter|month|week|dayofyear|date|day|hours|minutes|seconds|milliseconds)+$/;
const COUNTS = words('count valid missing distinct');

const isObject = (value: unknown): value is Spec =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shown = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 80);
const unknown = (what: string, value: unknown, known: readonly string[]) =>
  new ChartProblem(`There is no ${what} ${shown(value)}. Known are ${known.join(', ')}.`);

/** Refuses what Vega-Lite would drop, draw empty or fail at, with what would be right. */
export function checkView(spec: Spec, columns: readonly Column[]): void {
  const composed = COMPOSED.find((key) => spec[key] !== undefined);
  const views = composed && spec[composed];
  if (composed && (!Array.isArray(views) || views.length === 0 || !views.every(isObject)))
    throw new ChartProblem(`"${composed}" must be a list of specs, each with a "mark".`);
  checkSize(spec);
  checkTransforms(spec.transform);
  if (spec.encoding !== undefined) checkEncoding(spec.encoding, columns);
  if (composed) for (const view of views as readonly Spec[]) checkView(view, columns);
  else if (isObject(spec.spec)) checkView(spec.spec, columns);
  else checkMark(spec);
}

function checkMark({ mark, marks }: Spec): void {
  if (mark === undefined)
    throw new ChartProblem(
      marks === undefined
        ? `The spec needs a "mark", such as {"mark": "bar", "encoding": {"x": {"field": …}}}; or give the short form {"type": "bar", "x": …}.`
        : 'This is a spec of Vega; only those of Vega-Lite are drawn, which have a "mark" and an "encoding".',
    );
  const type = isObject(mark) ? mark.type : mark;
  if (!MARKS.includes(type as string)) throw unknown('mark', type, MARKS);
}

function checkSize(spec: Spec): void {
  for (const key of ['width', 'height']) {
    const size = spec[key];
    if (size === undefined || size === 'container' || isObject(size)) continue;
    if (typeof size !== 'number' || !(size > 0)) throw new ChartProblem(`"${key}" must be a number of pixels above 0.`);
  }
}

function checkTransforms(transforms: unknown): void {
  if (transforms === undefined) return;
  if (!Array.isArray(transforms) || !transforms.every(isObject))
    throw new ChartProblem('"transform" must be a list, such as [{"filter": "datum.fee > 3"}].');
  for (const transform of transforms) {
    if (!TRANSFORMS.some((name) => transform[name] !== undefined)) throw unknown('transform', transform, TRANSFORMS);
  }
}

function checkEncoding(encoding: unknown, columns: readonly Column[]): void {
  if (!isObject(encoding))
    throw new ChartProblem('"encoding" must be an object, such as {"x": {"field": "port", "type": "nominal"}}.');
  for (const [channel, given] of Object.entries(encoding)) {
    if (!CHANNELS.includes(channel)) throw unknown('channel', channel, CHANNELS);
    for (const definition of Array.isArray(given) ? given : [given]) {
      if (definition === null) continue;
      if (!isObject(definition))
        throw new ChartProblem(
          `The channel "${channel}" must be an object, such as {"field": ${shown(definition)}, "type": "nominal"}.`,
        );
      checkChannel(channel, definition, columns);
    }
  }
}

function checkChannel(
  channel: string,
  { field, type, aggregate, timeUnit, bin }: Spec,
  columns: readonly Column[],
): void {
  if (type !== undefined && !TYPES.includes(type as string)) throw unknown('type', type, TYPES);
  const how = isObject(aggregate) ? Object.keys(aggregate)[0] : aggregate;
  if (how !== undefined && !AGGREGATES.includes(how as string)) throw unknown('aggregate', how, AGGREGATES);
  const unit = isObject(timeUnit) ? (timeUnit.unit ?? 'year') : timeUnit;
  if (unit !== undefined && !(typeof unit === 'string' && UNIT.test(unit)))
    throw unknown(
      'timeUnit',
      unit,
      words('year quarter month week date day hours minutes seconds yearmonth yearmonthdate'),
    );
  if (typeof field !== 'string' || COUNTS.includes(how as string)) return;
  const needsNumbers =
    type === 'quantitative' || bin === true || ['sum', 'mean', 'average', 'median'].includes(how as string);
  const column = columns.find(({ name }) => name === columnName(field));
  if (needsNumbers && column?.isText)
    throw new ChartProblem(
      `"${column.name}" holds text, and "${channel}" needs numbers. Give it the type "nominal", or turn it into numbers in the "sql".`,
    );
}
