/** Which sign parts the decimals: a point (`1,234.5`) or a comma (`1.234,5`). */
export type DecimalMark = 'point' | 'comma';

export interface NumberReading {
  /** The value under each mark; undefined where the text is not a number under it. */
  readonly point: number | bigint | undefined;
  readonly comma: number | bigint | undefined;
  /** `%`, a currency, or empty. */
  readonly unit: string;
  /** Digits only, as codes and ids are written: how many, and whether a zero leads. */
  readonly digits: number;
  readonly hasLeadingZero: boolean;
}

const MAX_CHARACTERS = 48;
const BLANKS = /[\s\u00a0\u2007\u2009\u202f]+/g;
const SYMBOL = String.raw`(?:US|CA|AU|HK|NT|[ACRS])?\$|[€£¥￥₹₽₩₺₫₴฿₦₪₱¢]`;
const CODE =
  '(?:USD|EUR|GBP|CHF|JPY|CNY|RMB|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|BRL|MXN|ZAR|KRW|SGD|HKD|TWD|THB|TRY|ILS|AED|SAR)';
const PREFIX = new RegExp(`^(?:${SYMBOL}|${CODE}(?![A-Za-z])|Rs\\.?(?![A-Za-z]))`, 'i');
const SUFFIX = new RegExp(`(?:${SYMBOL}|(?<![A-Za-z])${CODE}|kr\\.?|zł|Kč|元|円|원|%|％)$`, 'i');
const POINT = /^(?:[1-9]\d{0,2}(?:([,'’ ])\d{3})(?:\1\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3}|\d+)?(?:\.\d*)?(?:e[+-]?\d+)?$/i;
const COMMA = /^(?:[1-9]\d{0,2}(?:([.'’ ])\d{3})(?:\1\d{3})*|\d+)?(?:,\d*)?(?:e[+-]?\d+)?$/i;
const MAX_INTEGER = 2n ** 63n;

/** Reads a cell as a number as people write them: signs, parentheses, thousands, currency, percent. */
export function readNumber(cell: string): NumberReading | undefined {
  if (cell.length > MAX_CHARACTERS || !/\d/.test(cell)) return undefined;
  if (PLAIN.test(cell)) return readPlain(cell);
  let text = cell.replace(BLANKS, ' ').trim();
  let isNegative = false;
  let unit = '';
  const inBrackets = /^(.*?)\((.*)\)(.*)$/.exec(text);
  if (inBrackets) {
    if (/[-+−\d]/.test(inBrackets[1]! + inBrackets[3]!)) return undefined;
    isNegative = true;
    text = inBrackets.slice(1).join('').trim();
  }
  // A sign may stand before or after the currency, and each at most once.
  for (let signs = isNegative ? 1 : 0; ; ) {
    const sign = /^[-+−]/.exec(text) ?? (signs === 0 ? /(?<=\d ?)[-−]$/.exec(text) : null);
    const found = sign ?? PREFIX.exec(text) ?? SUFFIX.exec(text);
    if (!found) break;
    if (sign) {
      if (++signs > 1) return undefined;
      isNegative = sign[0] !== '+';
    } else {
      if (unit !== '') return undefined;
      unit = unitOf(found[0].toUpperCase());
    }
    text = (found.index === 0 ? text.slice(found[0].length) : text.slice(0, found.index)).trim();
  }
  if (!/\d/.test(text)) return undefined;
  const point = POINT.test(text) ? parsed(text.replace(/[,'’ ]/g, ''), isNegative) : undefined;
  const comma = COMMA.test(text) ? parsed(text.replace(/[.'’ ]/g, '').replace(',', '.'), isNegative) : undefined;
  if (point === undefined && comma === undefined) return undefined;
  // `(30,2)` is a pair, as of lengths and digits; amounts that are negative so have cents.
  if (inBrackets && point === undefined && unit === '' && !/,\d\d$/.test(text)) return undefined;
  const isDigits = unit === '' && /^\d+(?: \d+)*$/.test(text);
  return { point, comma, unit, digits: isDigits ? text.length : 0, hasLeadingZero: isDigits && /^0\d/.test(text) };
}

/** What most decimals of a file look like, read at once. */
const PLAIN = /^-?\d+\.\d+$/;
const MAY_MARK_THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;

function readPlain(cell: string): NumberReading {
  const point = Number(cell) || 0;
  const comma = MAY_MARK_THOUSANDS.test(cell) ? Number(cell.replace('.', '')) : undefined;
  return { point, comma, unit: '', digits: 0, hasLeadingZero: false };
}

/** One unit for the sign and the code of a currency, where the sign means that one only. */
const unitOf = (found: string): string => SAME_UNITS.get(found) ?? found;

const SAME_UNITS: ReadonlyMap<string, string> = new Map([
  ['％', '%'],
  ['EUR', '€'],
  ['GBP', '£'],
]);

/** Whole numbers stay exact up to 64 bits; beyond that a number is as near as floating point comes. */
function parsed(text: string, isNegative: boolean): number | bigint | undefined {
  const value = Number(isNegative ? `-${text}` : text);
  if (!Number.isFinite(value)) return undefined;
  if (Number.isSafeInteger(value) || !/^\d+$/.test(text)) return value === 0 ? 0 : value;
  const exact = BigInt(text) * (isNegative ? -1n : 1n);
  return exact < MAX_INTEGER && exact >= -MAX_INTEGER ? exact : value;
}
