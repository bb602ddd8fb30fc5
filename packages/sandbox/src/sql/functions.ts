import type { Database } from 'sql.js';

type Value = number | string | Uint8Array | null;

/** sql.js has it, its types don't yet. */
interface AggregateDatabase extends Database {
  create_aggregate<State>(
    name: string,
    functions: {
      init: () => State;
      step: ((state: State, value: Value) => State) | ((state: State, first: Value, second: Value) => State);
      finalize: (state: State) => Value;
    },
  ): void;
}

/** What analysts expect of SQL and SQLite does not have: statistics, regular expressions, parts of dates. */
export function addFunctions(database: Database): void {
  const db = database as AggregateDatabase;
  for (const [name, finish] of Object.entries(SPREADS))
    db.create_aggregate(name, { init: newMoments, step: addToMoments, finalize: finish });
  for (const [name, finish] of Object.entries(PAIRS))
    db.create_aggregate(name, { init: newPairs, step: addPair, finalize: finish });
  db.create_aggregate('median', { init: newList, step: addToList, finalize: (list: number[]) => quantile(list, 0.5) });
  db.create_aggregate('percentile', { init: newRanked, step: addRanked, finalize: percentile });
  db.create_aggregate('percentile_cont', { init: newRanked, step: addRanked, finalize: fractionOf });
  for (const [name, run] of Object.entries(SCALARS)) db.create_function(name, run);
}

/** A number, or text that is one, as SQLite's own aggregates take it; anything else counts for nothing. */
function toNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

// ── One column ───────────────────────────────────────────────────────────────────────────────────────────────────

interface Moments {
  count: number;
  mean: number;
  /** Sum of squared distances from the mean (Welford): no loss where the mean is large and the spread small. */
  squares: number;
}

const newMoments = (): Moments => ({ count: 0, mean: 0, squares: 0 });

function addToMoments(state: Moments, value: Value): Moments {
  const number = toNumber(value);
  if (number === undefined) return state;
  state.count++;
  const distance = number - state.mean;
  state.mean += distance / state.count;
  state.squares += distance * (number - state.mean);
  return state;
}

const sampleVariance = ({ count, squares }: Moments) => (count < 2 ? null : squares / (count - 1));
const wholeVariance = ({ count, squares }: Moments) => (count < 1 ? null : squares / count);
const root = (value: number | null) => (value === null ? null : Math.sqrt(value));

/** Without a suffix: of a sample, as pandas and PostgreSQL have it. */
const SPREADS: Record<string, (state: Moments) => number | null> = {
  variance: sampleVariance,
  var_samp: sampleVariance,
  var_pop: wholeVariance,
  stddev: (state) => root(sampleVariance(state)),
  stddev_samp: (state) => root(sampleVariance(state)),
  stddev_pop: (state) => root(wholeVariance(state)),
};

const newList = (): number[] => [];

function addToList(list: number[], value: Value): number[] {
  const number = toNumber(value);
  if (number !== undefined) list.push(number);
  return list;
}

interface Ranked {
  readonly list: number[];
  rank: number | undefined;
}

const newRanked = (): Ranked => ({ list: [], rank: undefined });

function addRanked(state: Ranked, value: Value, rank: Value): Ranked {
  addToList(state.list, value);
  const given = toNumber(rank);
  if (given === undefined) throw new Error('The second argument of PERCENTILE must be a number');
  if (state.rank !== undefined && state.rank !== given)
    throw new Error('The second argument of PERCENTILE must be the same for every row');
  state.rank = given;
  return state;
}

/** `90` and `0.9` are the same; `1` could be either and is refused. */
function percentile({ list, rank = 50 }: Ranked): number | null {
  if (rank < 0 || rank > 100) throw new Error('PERCENTILE takes a number from 0 to 100');
  if (rank === 1) throw new Error('PERCENTILE(x, 1) is ambiguous: write PERCENTILE_CONT(x, 0.01) or MAX(x)');
  return quantile(list, rank < 1 ? rank : rank / 100);
}

function fractionOf({ list, rank = 0.5 }: Ranked): number | null {
  if (rank < 0 || rank > 1) throw new Error('PERCENTILE_CONT takes a number from 0 to 1');
  return quantile(list, rank);
}

/** Between two values, the part of the way that the rank asks for (NumPy's default). */
function quantile(list: number[], fraction: number): number | null {
  if (list.length === 0) return null;
  const sorted = Float64Array.from(list).sort();
  const at = fraction * (sorted.length - 1);
  const low = sorted[Math.floor(at)]!;
  const high = sorted[Math.ceil(at)]!;
  const way = at - Math.floor(at);
  // From the nearer end, as NumPy does it: halves come out exactly.
  if (way === 0.5) return (low + high) / 2;
  return way < 0.5 ? low + (high - low) * way : high - (high - low) * (1 - way);
}

// ── Two columns ──────────────────────────────────────────────────────────────────────────────────────────────────

interface Pairs {
  count: number;
  meanX: number;
  meanY: number;
  squaresX: number;
  squaresY: number;
  products: number;
}

const newPairs = (): Pairs => ({ count: 0, meanX: 0, meanY: 0, squaresX: 0, squaresY: 0, products: 0 });

function addPair(state: Pairs, first: Value, second: Value): Pairs {
  const x = toNumber(first);
  const y = toNumber(second);
  if (x === undefined || y === undefined) return state;
  state.count++;
  const fromX = x - state.meanX;
  const fromY = y - state.meanY;
  state.meanX += fromX / state.count;
  state.meanY += fromY / state.count;
  state.squaresX += fromX * (x - state.meanX);
  state.squaresY += fromY * (y - state.meanY);
  state.products += fromX * (y - state.meanY);
  return state;
}

const PAIRS: Record<string, (state: Pairs) => number | null> = {
  corr: ({ squaresX, squaresY, products }) =>
    squaresX > 0 && squaresY > 0 ? Math.max(-1, Math.min(1, products / Math.sqrt(squaresX * squaresY))) : null,
  covar_samp: ({ count, products }) => (count < 2 ? null : products / (count - 1)),
  covar_pop: ({ count, products }) => (count < 1 ? null : products / count),
};

// ── One row ──────────────────────────────────────────────────────────────────────────────────────────────────────

const patterns = new Map<string, RegExp>();

function pattern(source: Value): RegExp {
  const text = String(source);
  let known = patterns.get(text);
  if (!known) {
    try {
      // `(?i)` at the start is how SQL dialects and Python ask for any case.
      known = new RegExp(text.replace(/^\(\?i\)/, ''), text.startsWith('(?i)') ? 'iu' : 'u');
    } catch {
      throw new Error(`"${text}" is not a regular expression`);
    }
    if (patterns.size > 100) patterns.clear();
    patterns.set(text, known);
  }
  return known;
}

const DAY_MS = 86_400_000;
const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?/;

/** Milliseconds of ISO text, read as UTC. */
function timeOf(value: Value): number | undefined {
  const match = typeof value === 'string' ? DATE.exec(value) : null;
  if (!match) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = match;
  return Date.UTC(+year!, +month! - 1, +day!, +hour, +minute) + Math.round(+second * 1000);
}

const part = (value: Value, read: (date: Date) => number): number | null => {
  const time = timeOf(value);
  return time === undefined ? null : read(new Date(time));
};

const quarterOf = (date: Date): number => Math.floor(date.getUTCMonth() / 3) + 1;
/** From Monday, as ISO 8601 has it. */
const weekdayOf = (date: Date): number => ((date.getUTCDay() + 6) % 7) + 1;

function weekOf(date: Date): number {
  const thursday = new Date(date.getTime() + (4 - weekdayOf(date)) * DAY_MS);
  return Math.floor((thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / (7 * DAY_MS)) + 1;
}

function startOf(unit: string, date: Date): Date {
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const time = date.getTime();
  switch (unit) {
    case 'year':
      return new Date(Date.UTC(year, 0));
    case 'quarter':
      return new Date(Date.UTC(year, month - (month % 3)));
    case 'month':
      return new Date(Date.UTC(year, month));
    case 'week':
      return new Date(Math.floor(time / DAY_MS) * DAY_MS - (weekdayOf(date) - 1) * DAY_MS);
    case 'day':
      return new Date(Math.floor(time / DAY_MS) * DAY_MS);
    case 'hour':
      return new Date(Math.floor(time / 3_600_000) * 3_600_000);
    case 'minute':
      return new Date(Math.floor(time / 60_000) * 60_000);
    default:
      throw new Error(`"${unit}" is not a unit of time: use year, quarter, month, week, day, hour or minute`);
  }
}

function truncated(unit: Value, value: Value): string | null {
  const time = timeOf(value);
  const name = String(unit).toLowerCase();
  if (time === undefined) return null;
  const text = startOf(name, new Date(time)).toISOString();
  return name === 'hour' || name === 'minute' ? text.slice(0, 19).replace('T', ' ') : text.slice(0, 10);
}

/** How many boundaries of the unit lie between two dates. */
function difference(unit: Value, from: Value, to: Value): number | null {
  const start = timeOf(from);
  const end = timeOf(to);
  const name = String(unit).toLowerCase().replace(/s$/, '');
  if (name === 'second') return start === undefined || end === undefined ? null : Math.trunc((end - start) / 1000);
  if (start === undefined || end === undefined) return null;
  const [a, b] = [startOf(name, new Date(start)), startOf(name, new Date(end))];
  const months = (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
  if (name === 'year') return months / 12;
  if (name === 'quarter') return months / 3;
  if (name === 'month') return months;
  const lengths: Record<string, number> = { week: 7 * DAY_MS, day: DAY_MS, hour: 3_600_000, minute: 60_000 };
  return (b.getTime() - a.getTime()) / lengths[name]!;
}

const SCALARS: Record<string, (...values: never[]) => Value> = {
  // `text REGEXP pattern` calls it with the pattern first.
  regexp: (source: Value, text: Value) =>
    source === null || text === null ? null : Number(pattern(source).test(String(text))),
  regexp_extract: (text: Value, source: Value) => {
    if (source === null || text === null) return null;
    const match = pattern(source).exec(String(text));
    return match ? (match[1] ?? match[0]) : null;
  },
  regexp_replace: (text: Value, source: Value, by: Value) => {
    if (source === null || text === null || by === null) return null;
    const { source: written, flags } = pattern(source);
    return String(text).replace(new RegExp(written, `${flags}g`), String(by).replace(/\\(\d)/g, '$$$1'));
  },
  year: (value: Value) => part(value, (date) => date.getUTCFullYear()),
  quarter: (value: Value) => part(value, quarterOf),
  month: (value: Value) => part(value, (date) => date.getUTCMonth() + 1),
  week: (value: Value) => part(value, weekOf),
  day: (value: Value) => part(value, (date) => date.getUTCDate()),
  weekday: (value: Value) => part(value, weekdayOf),
  hour: (value: Value) => part(value, (date) => date.getUTCHours()),
  minute: (value: Value) => part(value, (date) => date.getUTCMinutes()),
  date_trunc: truncated,
  date_diff: difference,
};
