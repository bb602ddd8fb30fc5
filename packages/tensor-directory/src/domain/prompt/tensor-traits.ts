import { type Dtype, FACTS, STORED_DTYPES } from '@atoll-mcp/formats/dtypes';
import type { Filter, Range } from '../filter.ts';
import type { Concept } from './english.ts';
import { nearestDtype } from './lexicon.ts';
import { alt, list, many, map, opt, type Parser, seq, token, word } from './parser.ts';
import { count } from './refs.ts';

const INTEGERS = STORED_DTYPES.filter((dtype) => FACTS[dtype].kind === 'int');
const FLOATS = STORED_DTYPES.filter((dtype) => FACTS[dtype].kind === 'float');
const FAMILIES: Partial<Record<Concept, readonly Dtype[]>> = {
  INTEGER: INTEGERS,
  UNSIGNED: INTEGERS.filter((dtype) => dtype.startsWith('u')),
  SIGNED: INTEGERS.filter((dtype) => !dtype.startsWith('u')),
  FLOAT: FLOATS,
  DOUBLE: ['float64'],
  SINGLE: ['float32'],
  HALF: ['float16'],
  BOOLEAN: ['bool'],
};

const number = token((each) => each.value);
const or = alt(word('OR'), word('AND'), word('COMMA'));
const dtypeName: Parser<readonly Dtype[]> = alt(
  token((each) => (each.concepts.has('DTYPE_NAME') ? dtypesNamed(each.text) : undefined)),
  token((each) => (each.kind === 'quoted' && isDtype(each.text) ? [each.text as Dtype] : undefined)),
  token((each) => (each.slips.has('DTYPE_NAME') ? asList(nearestDtype(each.text)) : undefined), 1),
);
const family: Parser<readonly Dtype[]> = token((each) => {
  const concept = (Object.keys(FAMILIES) as Concept[]).find((key) => each.concepts.has(key));
  return concept && FAMILIES[concept];
});
const sized: Parser<readonly Dtype[]> = alt(
  map(seq(count, word('BIT'), family), ([bits, , dtypes]) => ofBits(dtypes, bits)),
  map(seq(family, count, word('BIT')), ([dtypes, bits]) => ofBits(dtypes, bits)),
);
const someDtypes: Parser<readonly Dtype[]> = map(list(alt(dtypeName, sized, family), or), (found) => found.flat());
export const dtypes: Parser<Filter> = alt(
  map(someDtypes, (found) => ({ dtypes: [...found] })),
  map(seq(word('NOT'), opt(word('AS', 'OF')), someDtypes), ([, , found]) => ({
    dtypes: STORED_DTYPES.filter((dtype) => !found.includes(dtype)),
  })),
);

export const shapeValue: Parser<(number | null)[]> = alt(
  token((each) => (each.kind === 'shape' ? sizesIn(each.text) : undefined)),
  map(seq(count, many(map(seq(word('BY', 'COMMA'), count), ([, size]) => size))), ([first, rest]) => [first, ...rest]),
);
/** "3 rows and 4 columns", "3 rows" of tensors with two axes. */
const rowCount = map(seq(opt(word('EXACTLY')), count, word('ROW')), ([, value]) => value);
const columnCount = map(seq(opt(word('EXACTLY')), count, word('COLUMN')), ([, value]) => value);
export const lineCounts: Parser<(number | null)[]> = alt(
  map(rowCount, (rows) => [rows, null]),
  map(columnCount, (columns) => [null, columns]),
  map(seq(rowCount, opt(word('AND', 'COMMA', 'BY')), columnCount), ([rows, , columns]) => [rows, columns]),
  map(seq(columnCount, opt(word('AND', 'COMMA', 'BY')), rowCount), ([columns, , rows]) => [rows, columns]),
);
export const bareShape = token((each) => (each.kind === 'shape' ? sizesIn(each.text) : undefined));

/** "more than 10", "at least 5", "10 or more", "exactly 3", "3". */
const plainBounds: Parser<Range> = alt(
  map(seq(word('MORE'), opt(word('THAN')), number), ([, , above]) => ({ above })),
  map(seq(word('LESS'), opt(word('THAN')), number), ([, , below]) => ({ below })),
  map(seq(word('BETWEEN'), number, word('AND'), number, opt(word('INCLUSIVE'))), ([, min, , max]) => ({ min, max })),
  map(seq(number, word('OR_MORE')), ([min]) => ({ min })),
  map(seq(number, word('OR_LESS')), ([max]) => ({ max })),
  map(seq(word('AT_LEAST'), number), ([, min]) => ({ min })),
  map(seq(word('AT_MOST'), number), ([, max]) => ({ max })),
  map(seq(word('EXACTLY'), opt(word('HAVE')), number), ([, , value]) => ({ min: value, max: value })),
);
/** A unit changes nothing: values have none. */
const unit = token((each) =>
  /^(?:percent|%|euros?|degrees?|units?|points?|mm|millimetres?|celsius|grad|einheiten|punkte|prozent|por ciento|grados|degrés|度|元)$/i.test(
    each.text,
  )
    ? true
    : undefined,
);
export const bounds: Parser<Range> = map(seq(plainBounds, opt(unit)), ([found]) => found);
const bare: Parser<Range> = map(number, (value) => ({ min: value, max: value }));
/** What values stand for, where they are counted: "how many days in x were above 20". */
export const countedNoun = token((each) =>
  /^(?:days?|weeks?|months?|hours?|years?|stores?|shops?|customers?|students?|pupils?|people|persons?|employees|pixels?|samples?|readings?|measurements?|prices?|products?|items?|cells?|epochs?|cases?|departments?|regions?|places?|weights?|scores?|grades?|marks?|ids?|times|tage?n?|monate?n?|wochen?|stunden?|filialen?|kunden|studenten|studierenden?|schüler|personen|pixel|messwerte?n?|preise?n?|noten?|abteilungen|epochen?|mal|días?|dias?|meses|semanas?|horas?|tiendas?|clientes?|estudiantes|alumnos|personas|píxeles|precios|notas|épocas|jours?|mois|semaines?|heures?|magasins?|clients?|étudiants?|élèves?|personnes|pixels|prix|notes?|époques?|天|个月|周|小时|店|学生|人|像素|次)$/i.test(
    each.text,
  )
    ? true
    : undefined,
);
export const size: Parser<Range> = alt(bounds, bare);
export const rank: Parser<Filter> = alt(
  map(seq(size, word('DIMENSIONS')), ([ndim]) => ({ ndim })),
  map(seq(word('DIMENSIONS'), opt(word('IS', 'EQUALS')), size), ([, , ndim]) => ({ ndim })),
  token((each) => {
    const [, digits] = /^(\d)-?d$/i.exec(each.text) ?? [];
    return digits ? { ndim: { min: Number(digits), max: Number(digits) } } : undefined;
  }),
  token((each) => {
    const index = ['zero', 'one', 'two', 'three', 'four', 'five'].indexOf(
      /^(\w+)-dimensional$/i.exec(each.text)?.[1]?.toLowerCase() ?? '',
    );
    return index >= 0 ? { ndim: { min: index, max: index } } : undefined;
  }),
);
export const elements: Parser<Filter> = alt(
  map(seq(size, word('ELEMENTS')), ([range]) => ({ elements: range })),
  map(seq(bounds, word('ELEMENTS'), word('INCLUSIVE')), ([range]) =>
    range.min !== undefined && range.max !== undefined ? { elements: range } : undefined,
  ),
  // "元素多于 10 个": the noun comes first.
  map(seq(word('ELEMENTS'), bounds), ([, range]) => ({ elements: range })),
);
const UNITS: Partial<Record<Concept, number>> = { BYTES: 1, KILOBYTES: 1000, MEGABYTES: 1e6, GIGABYTES: 1e9 };
export const bytes: Parser<Filter> = map(
  seq(size, word('BYTES', 'KILOBYTES', 'MEGABYTES', 'GIGABYTES')),
  ([range, unit]) => {
    const key = (Object.keys(UNITS) as Concept[]).find((each) => unit.concepts.has(each) || unit.slips.has(each))!;
    // "KiB" and the like count in powers of 1024.
    const factor = /^[kmg]ib$/i.test(unit.text)
      ? 1024 ** ['BYTES', 'KILOBYTES', 'MEGABYTES', 'GIGABYTES'].indexOf(key)
      : UNITS[key]!;
    return { bytes: Object.fromEntries(Object.entries(range).map(([bound, value]) => [bound, value! * factor])) };
  },
);

function ofBits(dtypesOfKind: readonly Dtype[], bits: number): readonly Dtype[] | undefined {
  const found = dtypesOfKind.filter((dtype) => FACTS[dtype].bytes * 8 === bits);
  return found.length > 0 ? found : undefined;
}

function sizesIn(said: string): (number | null)[] {
  return [...said.matchAll(/\d+|\*|\?|any|none|null/gi)].map(([each]) => (/^\d/.test(each) ? Number(each) : null));
}

function isDtype(said: string): boolean {
  return (STORED_DTYPES as readonly string[]).includes(said);
}

function asList(dtype: string | undefined): readonly Dtype[] | undefined {
  return dtype === undefined ? undefined : [dtype as Dtype];
}

export function dtypesNamed(said: string): Dtype[] {
  return [said.toLowerCase() as Dtype];
}
