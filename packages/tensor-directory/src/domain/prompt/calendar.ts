import type { Concept } from './english.ts';
import { alt, map, opt, type Parser, seq, token, word } from './parser.ts';
import { count, countOrPlace } from './refs.ts';

/** Days in UTC, such as 2024-01-31. The last one is not in the period any more. */
export interface Period {
  readonly from: string;
  readonly until: string;
}

/** Months in English, German, Spanish, French and Chinese, by their first letters. */
const MONTHS = [
  /^(?:jan(?:uary|uar)?|enero|janvier|jänner|一月份?)$/i,
  /^(?:feb(?:ruary|ruar)?|febrero|février|二月份?)$/i,
  /^(?:mar(?:ch)?|märz|marzo|mars|三月份?)$/i,
  /^(?:apr(?:il)?|abril|avril|四月份?)$/i,
  /^(?:may|mai|mayo|五月份?)$/i,
  /^(?:june?|juni|junio|juin|六月份?)$/i,
  /^(?:july?|juli|julio|juillet|七月份?)$/i,
  /^(?:aug(?:ust)?|agosto|août|八月份?)$/i,
  /^(?:sept?(?:ember)?|septiembre|septembre|九月份?)$/i,
  /^(?:oct(?:ober)?|okt(?:ober)?|octubre|octobre|十月份?)$/i,
  /^(?:nov(?:ember)?|noviembre|novembre|十一月份?)$/i,
  /^(?:dec(?:ember)?|dez(?:ember)?|diciembre|décembre|十二月份?)$/i,
];
const WEEKDAYS = [
  /^(?:monday|montag|lunes|lundi|周一|星期一)$/i,
  /^(?:tuesday|dienstag|martes|mardi|周二|星期二)$/i,
  /^(?:wednesday|mittwoch|miércoles|mercredi|周三|星期三)$/i,
  /^(?:thursday|donnerstag|jueves|jeudi|周四|星期四)$/i,
  /^(?:friday|freitag|viernes|vendredi|周五|星期五)$/i,
  /^(?:saturday|samstag|sonnabend|sábado|samedi|周六|星期六)$/i,
  /^(?:sunday|sonntag|domingo|dimanche|周日|星期日|星期天)$/i,
];
const DAY_MS = 86_400_000;

const nameIn = (names: readonly RegExp[]): Parser<number> =>
  token((each) => {
    const index = each.kind === 'word' ? names.findIndex((name) => name.test(each.text)) : -1;
    return index >= 0 ? index + 1 : undefined;
  });
/** "October", "10 月". */
const month: Parser<number> = alt(
  nameIn(MONTHS),
  map(seq(count, word('MONTH_SIGN')), ([value]) => (value <= 12 ? value : undefined)),
);
const dayOfMonth: Parser<number> = map(seq(countOrPlace, opt(word('DAY_SIGN'))), ([day]) =>
  day <= 31 ? day : undefined,
);
const year: Parser<number> = map(
  seq(
    token((each) =>
      each.value !== undefined && /^\d{4}$/.test(each.text) && each.value >= 1900 ? each.value : undefined,
    ),
    opt(word('YEAR')),
  ),
  ([value]) => value,
);
const link = opt(word('COMMA', 'OF'));

/** "1 January 2020", "January 1st, 2020", "1. Januar 2020", "2020 年 1 月 1 日", "1 January" of the year past. */
const dayInWords: Parser<string> = alt(
  map(seq(dayOfMonth, opt(word('STOP', 'OF')), month, opt(seq(link, year))), ([day, , inMonth, of], { today }) =>
    isoDay(of?.[1], inMonth, day, today),
  ),
  map(seq(month, dayOfMonth, opt(seq(link, year))), ([inMonth, day, of], { today }) =>
    isoDay(of?.[1], inMonth, day, today),
  ),
  map(seq(year, month, dayOfMonth), ([of, inMonth, day], { today }) => isoDay(of, inMonth, day, today)),
  // "31.1.2020"; with slashes, month and day cannot be told apart.
  token((each) => {
    const [, day, inMonth, of] = /^(\d\d?)\.(\d\d?)\.(\d{4})$/.exec(each.text) ?? [];
    return of === undefined ? undefined : isoDay(Number(of), Number(inMonth), Number(day), '');
  }),
);
const monthPeriod: Parser<Period> = alt(
  map(seq(month, opt(seq(link, year))), ([inMonth, of], { today }) => monthOf(of?.[1], inMonth, today)),
  map(seq(year, month), ([of, inMonth], { today }) => monthOf(of, inMonth, today)),
);
/** The most recent one before today. Today's own name may mean today or a week ago. */
const weekday: Parser<string> = map(
  seq(opt(word('PAST')), nameIn(WEEKDAYS), opt(word('PAST'))),
  ([, wanted], { today }) => {
    const back = (weekdayOf(today) - wanted + 7) % 7;
    return back === 0 ? undefined : shifted(today, -back);
  },
);
/** "This Friday" may be past or to come. */
const pastWeekday: Parser<string> = (input, at) =>
  weekday(input, at).filter(({ next }) => !input.tokens.slice(at, next).some(({ text }) => THIS.test(text)));
const THIS = /^(?:a|an|any|every|each|einem|einen|un|une|cada|chaque|this|diese[nrms]?|este|ce)$/i;

const UNITS: readonly (readonly [Concept, number, number])[] = [
  ['DAYS', 1, 0],
  ['WEEKS', 7, 0],
  ['MONTHS', 0, 1],
];
/** A length of time. A month back from the 31st ends on the last day of a shorter one. */
export interface Span {
  readonly days: number;
  readonly months: number;
}
const ONE = /^(?:day|week|month|tag|woche|monat|día|semana|mes|jour|semaine|mois)$/i;
export const span: Parser<Span> = alt(
  ...UNITS.map(([concept, days, months]) =>
    map(seq(count, word(concept)), ([size]) => ({ days: size * days, months: size * months })),
  ),
  // "a week"
  ...UNITS.map(([concept, days, months]) =>
    map(word(concept), ({ text }) => (ONE.test(text) ? { days, months } : undefined), 0.5),
  ),
);
export const ago: Parser<Span> = alt(
  map(seq(word('AGO'), span), ([, days]) => days),
  map(seq(span, word('AGO')), ([days]) => days),
);
const date: Parser<Period> = alt(
  token((each) => (each.kind === 'date' ? written(each.text) : undefined)),
  map(alt(dayInWords, pastWeekday), oneDay),
  map(word('TODAY'), (_, { today }) => oneDay(today)),
  map(word('YESTERDAY'), (_, { today }) => oneDay(shifted(today, -1))),
  map(word('BEFORE_YESTERDAY'), (_, { today }) => oneDay(shifted(today, -2))),
  map(ago, (found, { today }) => oneDay(before(today, found))),
);
const monday = (today: string) => shifted(today, 1 - weekdayOf(today));
const [january, first] = [
  (today: string) => `${today.slice(0, 4)}-01-01`,
  (today: string) => `${today.slice(0, 7)}-01`,
];
const CALENDAR: readonly (readonly [Concept, (today: string) => Period])[] = [
  ['THIS_WEEK', (today) => ({ from: monday(today), until: shifted(today, 1) })],
  ['LAST_WEEK', (today) => ({ from: shifted(monday(today), -7), until: monday(today) })],
  ['PAST_WEEK', (today) => ({ from: shifted(today, -7), until: shifted(today, 1) })],
  ['THIS_MONTH', (today) => ({ from: first(today), until: shifted(today, 1) })],
  ['LAST_MONTH', (today) => ({ from: first(shifted(first(today), -1)), until: first(today) })],
  ['PAST_MONTH', (today) => ({ from: shifted(today, -30), until: shifted(today, 1) })],
  ['THIS_YEAR', (today) => ({ from: january(today), until: shifted(today, 1) })],
  ['LAST_YEAR', (today) => ({ from: `${Number(today.slice(0, 4)) - 1}-01-01`, until: january(today) })],
];
/** "last week", "October", "in the last 3 days", "yesterday". */
export const period: Parser<Period> = alt(
  date,
  monthPeriod,
  ...CALENDAR.map(([concept, make]) => map(word(concept), (_, { today }) => make(today))),
  map(
    alt(
      seq(word('PAST'), span),
      map(seq(span, word('PAST')), ([found, said]) => [said, found] as const),
      // "les 3 derniers jours"
      map(seq(count, word('PAST'), word('DAYS')), ([days, said]) => [said, { days, months: 0 }] as const),
    ),
    ([, found], { today }) => ({ from: before(today, found), until: shifted(today, 1) }),
  ),
);
export const yearPeriod: Parser<Period> = map(seq(opt(word('YEAR')), year), ([, of]) => ({
  from: `${of}-01-01`,
  until: `${of + 1}-01-01`,
}));

/** `undefined` for a day that the month does not have. Without a year, the last one that is not to come. */
function isoDay(inYear: number | undefined, inMonth: number, day: number, today: string): string | undefined {
  if (inYear === undefined) {
    const thisYear = Number(today.slice(0, 4));
    const found = isoDay(thisYear, inMonth, day, today);
    return found !== undefined && found > today ? isoDay(thisYear - 1, inMonth, day, today) : found;
  }
  const found = new Date(Date.UTC(inYear, inMonth - 1, day));
  return found.getUTCDate() === day && found.getUTCMonth() === inMonth - 1
    ? found.toISOString().slice(0, 10)
    : undefined;
}

function monthOf(inYear: number | undefined, inMonth: number, today: string): Period {
  const start = (of: number, index: number) => new Date(Date.UTC(of, index, 1)).toISOString().slice(0, 10);
  const thisYear = Number(today.slice(0, 4));
  const of = inYear ?? (start(thisYear, inMonth - 1) > today ? thisYear - 1 : thisYear);
  return { from: start(of, inMonth - 1), until: start(of, inMonth) };
}

/** A day, a month, or a point in time, as it was written. */
function written(text: string): Period {
  if (/^\d{4}-\d\d$/.test(text)) {
    const [of, inMonth] = text.split('-').map(Number);
    return inMonth! >= 1 && inMonth! <= 12 ? monthOf(of, inMonth!, '') : { from: text, until: text };
  }
  return text.length > 10 ? { from: text, until: text } : oneDay(text);
}

function oneDay(day: string): Period {
  return { from: day, until: shifted(day, 1) };
}

/** From 1 for Monday to 7. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
}

/** The day that lies so long before. */
export function before(today: string, { days, months }: Span): string {
  const [year, inMonth, day] = today.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, inMonth - months, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, inMonth - 1 - months, Math.min(day, last))).toISOString().slice(0, 10);
  return shifted(moved, -days);
}

function shifted(day: string, days: number): string {
  const found = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(found.getTime()) ? day : new Date(found.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}
