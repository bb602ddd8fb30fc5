import type { Filter } from '../filter.ts';
import { ago, period, span, before as spanBefore, yearPeriod } from './calendar.ts';
import { alt, map, opt, type Parser, seq, type Token, word } from './parser.ts';

const created = opt(word('CREATED'));
const during = ({ from, until }: { from: string; until: string }): Filter => ({
  createdAfter: from,
  createdBefore: until,
});
/** "since Monday" is from Monday on, "after Monday" from Tuesday on. */
const INCLUDING =
  /^(?:since|from|starting|ab$|seit|von|vom|desde|a partir|depuis|dès|à partir|自|从|以来|起|until|till|up to|bis|hasta|jusqu|截至|截止)/i;
const after = (said: Token, { from, until }: { from: string; until: string }): Filter => ({
  createdAfter: INCLUDING.test(said.text) && !/after/i.test(said.text) ? from : until,
});
const before = (said: Token, { from, until }: { from: string; until: string }): Filter => ({
  createdBefore: INCLUDING.test(said.text) ? until : from,
});
const OLDER = /^(?:older|earlier|älter|anterior|antérieur|plus (?:vieux|ancien)|早于)/i;
const NEWER = /^(?:newer|younger|neuer|jünger|posterior|postérieur|plus récent|晚于)/i;
const inPeriod = opt(word('DAY', 'OF'));

/** "uploaded today", "created after 2024-01-31", "from last week". */
export const dates: Parser<Filter> = alt(
  map(seq(created, word('AFTER'), period, created), ([, said, found]) => after(said, found)),
  map(seq(created, word('BEFORE'), period, created), ([, said, found]) => before(said, found)),
  map(seq(period, word('AFTER'), created), ([found, said]) => after(said, found)),
  map(seq(period, word('BEFORE'), created), ([found, said]) => before(said, found)),
  // "from Monday on"
  map(seq(created, word('DAY'), period, word('ONWARD')), ([, , { from }]) => ({ createdAfter: from })),
  // "older than a week": stored more than seven days ago.
  map(seq(created, word('BEFORE', 'AFTER'), span), ([, said, found], { today }) =>
    OLDER.test(said.text)
      ? { createdBefore: spanBefore(today, found) }
      : NEWER.test(said.text)
        ? { createdAfter: spanBefore(today, found) }
        : undefined,
  ),
  map(seq(created, word('BETWEEN', 'AFTER', 'DAY'), period, word('AND', 'BEFORE'), period, created), (read) =>
    read[2].from < read[4].until ? { createdAfter: read[2].from, createdBefore: read[4].until } : undefined,
  ),
  // "after 2015" may leave the year out or not; "since" and "before" cannot be misread.
  map(seq(created, word('AFTER'), yearPeriod, created), ([, said, { from }]) =>
    /^(?:since|seit|desde|depuis|自|自从)/i.test(said.text) ? { createdAfter: from } : undefined,
  ),
  map(seq(created, word('BEFORE'), yearPeriod, created), ([, said, { from }]) =>
    /^(?:before|prior|earlier|older|vor|früher|antes|anterior|avant|早于|之前|以前)/i.test(said.text)
      ? { createdBefore: from }
      : undefined,
  ),
  map(seq(created, inPeriod, period, created), ([, , found]) => during(found)),
  // "not today", "not uploaded this week"
  map(seq(word('NOT'), created, inPeriod, period, created), ([, , , found]) => ({ unless: [during(found)] })),
  map(seq(created, word('NOT'), inPeriod, period, created), ([, , , found]) => ({ unless: [during(found)] })),
  // "yesterday or today", where one begins when the other ends
  map(seq(created, inPeriod, period, word('OR', 'AND'), inPeriod, period, created), ([, , a, , , b]) =>
    a.until === b.from
      ? during({ from: a.from, until: b.until })
      : b.until === a.from
        ? during({ from: b.from, until: a.until })
        : undefined,
  ),
  // "more than two weeks ago"
  map(seq(created, inPeriod, word('MORE'), opt(word('THAN')), ago), ([, , , , found], { today }) => ({
    createdBefore: spanBefore(today, found),
  })),
  map(seq(created, inPeriod, word('LESS'), opt(word('THAN')), ago), ([, , , , found], { today }) => ({
    createdAfter: spanBefore(today, found),
  })),
  // "created in 2023"
  map(seq(word('CREATED'), inPeriod, yearPeriod), ([, , found]) => during(found)),
);

/** What days were meant, in words: "last week" and "October" leave it open. */
export function periodText({ createdAfter, createdBefore }: Filter): string {
  if (createdAfter === undefined && createdBefore === undefined) return '';
  const texts = [createdAfter && `from ${createdAfter}`, createdBefore && `before ${createdBefore}`];
  return ` Stored ${texts.filter(Boolean).join(' and ')} (UTC).`;
}
