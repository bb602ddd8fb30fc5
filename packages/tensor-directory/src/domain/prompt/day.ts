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
export const dayInWords: Parser<string> = alt(
  map(seq(dayOfMonth, opt(word('STOP', 'OF')), month, opt(word('COMMA', 'OF')), year), ([day, , inYear, , of]) =>
    isoDay(of, inYear, day),
  ),
  map(seq(month, dayOfMonth, opt(word('COMMA')), year), ([inYear, day, , of]) => isoDay(of, inYear, day)),
);

/** The first day of a year: "2015", "the year 2015". */
export const yearStart: Parser<string> = map(seq(opt(word('YEAR')), year), ([, found]) => isoDay(found, 1, 1));

/** `undefined` for a day that the month does not have. */
function isoDay(inYear: number, inMonth: number, day: number): string | undefined {
  const date = new Date(Date.UTC(inYear, inMonth - 1, day));
  return date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}
