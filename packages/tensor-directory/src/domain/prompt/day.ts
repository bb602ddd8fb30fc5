import type { Filter } from '../filter.ts';
import { alt, map, opt, type Parser, seq, token, word } from './parser.ts';
import { count } from './refs.ts';

/** Months in English, German, Spanish and French, by their first letters. */
const MONTHS = [
  /^(?:jan(?:uary|uar)?|enero|janvier|jänner)$/i,
  /^(?:feb(?:ruary|ruar)?|febrero|février)$/i,
  /^(?:mar(?:ch)?|märz|marzo|mars)$/i,
  /^(?:apr(?:il)?|abril|avril)$/i,
  /^(?:may|mai|mayo)$/i,
  /^(?:june?|juni|junio|juin)$/i,
  /^(?:july?|juli|julio|juillet)$/i,
  /^(?:aug(?:ust)?|agosto|août)$/i,
  /^(?:sept?(?:ember)?|septiembre|septembre)$/i,
  /^(?:oct(?:ober)?|okt(?:ober)?|octubre|octobre)$/i,
  /^(?:nov(?:ember)?|noviembre|novembre)$/i,
  /^(?:dec(?:ember)?|dez(?:ember)?|diciembre|décembre)$/i,
];
const month: Parser<number> = token((each) => {
  const index = each.kind === 'word' ? MONTHS.findIndex((name) => name.test(each.text)) : -1;
  return index >= 0 ? index + 1 : undefined;
});
const dayOfMonth: Parser<number> = map(count, (day) => (day <= 31 ? day : undefined));
const year: Parser<number> = token((each) =>
  each.value !== undefined && /^\d{4}$/.test(each.text) && each.value >= 1900 ? each.value : undefined,
);

/** "1 January 2020", "January 1st, 2020", "1. Januar 2020", as 2020-01-01. */
const dayInWords: Parser<string> = alt(
  map(seq(dayOfMonth, opt(word('STOP', 'OF')), month, opt(word('COMMA', 'OF')), year), ([day, , inYear, , of]) =>
    isoDay(of, inYear, day),
  ),
  map(seq(month, dayOfMonth, opt(word('COMMA')), year), ([inYear, day, , of]) => isoDay(of, inYear, day)),
);

/** The first day of a year: "2015", "the year 2015". */
const yearStart: Parser<string> = map(seq(opt(word('YEAR')), year), ([, found]) => isoDay(found, 1, 1));

/** `undefined` for a day that the month does not have. */
function isoDay(inYear: number, inMonth: number, day: number): string | undefined {
  const date = new Date(Date.UTC(inYear, inMonth - 1, day));
  return date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}

const date: Parser<string> = alt(
  token((each) => (each.kind === 'date' ? each.text : undefined)),
  dayInWords,
  map(word('TODAY'), (_, { today }) => today),
  map(word('YESTERDAY'), (_, { today }) => daysBefore(today, 1)),
);
const created = opt(word('CREATED'));
/** "uploaded today", "created after 2024-01-31". */
export const dates: Parser<Filter> = alt(
  map(seq(created, word('AFTER'), date, created), ([, , createdAfter]) => ({ createdAfter })),
  map(seq(created, word('BEFORE'), date, created), ([, , createdBefore]) => ({ createdBefore })),
  // "after 2015" may leave the year out or not; "since" and "before" cannot be misread.
  map(seq(created, word('AFTER'), yearStart, created), ([, said, createdAfter]) =>
    /^(?:since|seit|desde|depuis|自|自从)/i.test(said.text) ? { createdAfter } : undefined,
  ),
  map(seq(created, word('BEFORE'), yearStart, created), ([, said, createdBefore]) =>
    /^(?:before|prior|earlier|older|vor|früher|antes|anterior|avant|早于|之前|以前)/i.test(said.text)
      ? { createdBefore }
      : undefined,
  ),
  map(seq(date, word('AFTER'), created), ([createdAfter]) => ({ createdAfter })),
  map(seq(date, word('BEFORE'), created), ([createdBefore]) => ({ createdBefore })),
  map(seq(word('CREATED'), opt(word('DAY')), date), ([, , day]) => ({
    createdAfter: day,
    createdBefore: daysBefore(day, -1),
  })),
  map(seq(opt(word('DAY')), date, word('CREATED')), ([, day]) => ({
    createdAfter: day,
    createdBefore: daysBefore(day, -1),
  })),
  // "created in 2023"
  map(seq(word('CREATED'), opt(word('OF', 'DAY')), yearStart), ([, , createdAfter]) => ({
    createdAfter,
    createdBefore: `${Number(createdAfter.slice(0, 4)) + 1}-01-01`,
  })),
  map(seq(created, word('WEEK'), created), (_, { today }) => ({ createdAfter: daysBefore(today, 7) })),
);

function daysBefore(day: string, days: number): string {
  const date = new Date(`${day.slice(0, 10).padEnd(10, '-01')}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : new Date(date.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}
