/** Whether the day or the month comes first where both are numbers. */
export type DateOrder = 'day' | 'month';

export interface DateReading {
  /** ISO text under each order, `2024-05-01` or `2024-05-01 13:00:00`; equal where the order does not matter. */
  readonly day: string | undefined;
  readonly month: string | undefined;
  readonly hasTime: boolean;
}

const MAX_CHARACTERS = 48;
const TIME = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(am|pm)?\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})?)?`;
const YEAR_FIRST = new RegExp(
  String.raw`^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|年(\d{1,2})月(\d{1,2})日)${TIME}$`,
  'i',
);
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})${TIME}$`, 'i');
const WEEKDAY = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? /i;
const DAY_NAMED = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4}|\d{2})${TIME}$`, 'i');
const MONTH_NAMED = new RegExp(String.raw`^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${TIME}$`, 'i');
const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** Reads a cell as a date, with or without a time. A zone is brought to UTC. */
export function readDate(cell: string): DateReading | undefined {
  if (cell.length > MAX_CHARACTERS || cell.length < 6 || !/\d/.test(cell)) return undefined;
  const text = cell.trim().replace(WEEKDAY, '');
  const first = YEAR_FIRST.exec(text);
  if (first) return same(iso(+first[1]!, +(first[3] ?? first[5]!), +(first[4] ?? first[6]!), first.slice(7)));
  const last = YEAR_LAST.exec(text);
  if (last) return inEitherOrder(last);
  const day = DAY_NAMED.exec(text);
  if (day) return same(iso(yearOf(day[3]!), monthOf(day[2]!), +day[1]!, day.slice(4)));
  const month = MONTH_NAMED.exec(text);
  return month ? same(iso(+month[3]!, monthOf(month[1]!), +month[2]!, month.slice(4))) : undefined;
}

function inEitherOrder(match: RegExpExecArray): DateReading | undefined {
  const [, one, mark, two, year] = match as unknown as [string, string, string, string, string];
  // With points the day comes first everywhere; two digits after them are a version, not a year.
  if (mark === '.' && year.length === 2) return undefined;
  const time = match.slice(5);
  const day = iso(yearOf(year), +two, +one, time);
  const month = mark === '.' ? undefined : iso(yearOf(year), +one, +two, time);
  return day || month ? { day, month, hasTime: time[0] !== undefined } : undefined;
}

const same = (text: string | undefined): DateReading | undefined =>
  text === undefined ? undefined : { day: text, month: text, hasTime: text.length > 10 };

const yearOf = (text: string): number => (text.length === 4 ? +text : +text < 69 ? 2000 + +text : 1900 + +text);

const monthOf = (name: string): number => {
  const lower = name.toLowerCase();
  return (
    MONTHS.findIndex(
      (month) => month === lower || month.slice(0, 3) === lower || (lower === 'sept' && month === 'september'),
    ) + 1
  );
};

function iso(year: number, month: number, day: number, time: readonly (string | undefined)[]): string | undefined {
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return undefined;
  const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const [hour, minute, second = '0', fraction = '', half, zone] = time;
  if (hour === undefined) return date;
  if ((half && (+hour < 1 || +hour > 12)) || +hour > 23 || +minute! > 59 || +second > 59) return undefined;
  const hours = half ? (+hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : +hour;
  const rest = fraction === '' ? '' : `.${fraction}`;
  const local = `${date} ${two(hours)}:${minute}:${two(+second)}`;
  const offset = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '');
  if (!offset) return local + rest;
  const minutes = (+offset[2]! * 60 + +offset[3]!) * (offset[1] === '-' ? -1 : 1);
  return (
    new Date(Date.parse(`${local.replace(' ', 'T')}Z`) - minutes * 60_000)
      .toISOString()
      .slice(0, 19)
      .replace('T', ' ') + rest
  );
}

const two = (value: number): string => String(value).padStart(2, '0');
