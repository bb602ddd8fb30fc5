// Whether a value is the one that Excel shows: Excel's CSV holds the text of each cell under its number format.

/** The records of a CSV file as Excel writes it. */
export function csvRecords(text) {
  const records = [];
  let record = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      at++;
      for (;;) {
        const end = text.indexOf('"', at);
        field += text.slice(at, end < 0 ? text.length : end);
        at = (end < 0 ? text.length : end) + 1;
        if (text[at] !== '"') break;
        field += '"';
        at++;
      }
    }
    const rest = /[,\n]|\r\n?|$/.exec(text.slice(at, at + 40_000));
    field += text.slice(at, at + rest.index);
    at += rest.index;
    record.push(field);
    if (text[at] === ',') {
      at++;
      if (at === text.length) record.push('');
      else continue;
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    records.push(record);
    record = [];
  }
  return records;
}

const clean = (text) => text.replace(/\s+/g, ' ').trim();
const isBlank = (value) => value === null || value === undefined || clean(String(value)) === '';

/** `value` is what a reader gives, `shown` is what Excel shows. */
export function isSameCell(value, shown) {
  if (isBlank(value)) return isBlank(shown);
  // Excel calculated again: functions that it lacks, and the day it wrote the CSV.
  if (shown === '#NAME?' || /^3\/2[56]\/(?:20)?17\b/.test(shown)) return true;
  // Dates that Excel cannot show, zeros that the sheet hides, and text of which its code page has no sign.
  if (typeof value === 'number' && (/^[#_]+$/.test(shown) || (value === 0 && isBlank(shown)))) return true;
  if (typeof value === 'boolean') return shown.toUpperCase() === String(value).toUpperCase();
  if (typeof value === 'number') return isSameNumber(value, clean(shown));
  return isSameText(clean(value), clean(shown)) || isSameDate(value, clean(shown));
}

// Signs that Excel's code page lacks are written as question marks or underscores, or left out.
function isSameText(text, shown) {
  const plain = (given) => given.replace(/[^!-~]|[?_]/g, '');
  return text === shown || plain(text) === plain(shown);
}

function isSameNumber(value, shown) {
  if (shown === '') return false;
  const negative = /^\s*[^\d]*\(.*\)/.test(shown) || /-\s*[^\d\s]*\s*[\d.]/.test(shown.replace(/e-\d/i, '')) ? -1 : 1;
  const fraction = /(?:(\d+) +)?(\d+)\/(\d+)/.exec(shown);
  if (fraction && !/\d\/\d+\/\d/.test(shown)) {
    const amount = Number(fraction[1] ?? 0) + Number(fraction[2]) / Number(fraction[3]);
    if (Math.abs(Math.abs(value) - amount) < 0.5 / Number(fraction[3])) return true;
  }
  const digits = /\d[\d,]*\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?/i.exec(shown)?.[0];
  if (digits === undefined) return value === 0 && /^[^\d]*-[^\d]*$/.test(shown);
  const plain = digits.replaceAll(',', '');
  const decimals = /\.(\d+)/.exec(plain)?.[1].length ?? 0;
  const exponent = Number(/e([+-]?\d+)$/i.exec(plain)?.[1] ?? 0);
  const scale = shown.includes('%') ? 0.01 : 1;
  const amount = Number(plain) * scale * negative;
  const step = 10 ** (exponent - decimals) * scale;
  const near = (given) => Math.abs(given - amount) <= step * 0.5000001 + Math.abs(amount) * 1e-14;
  // A sign may be hidden by the format.
  if (near(value) || (negative === 1 && near(-value))) return true;
  return /[KM]/i.test(shown) && (near(value / 1e3) || near(value / 1e6));
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Every number that Excel shows of a date is one of the date's own. */
function isSameDate(value, shown) {
  const date = /^(?:(\d{4})-(\d\d)-(\d\d))?[ T]?(?:(\d+):(\d\d):(\d\d)(\.\d+)?)?$/.exec(value);
  if (!date || value === '') return false;
  const [year, month, day, hour, minute, second] = date
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : +part));
  const own = [year, year % 100, month, day, hour, hour % 12 || 12, minute, second];
  if (year === undefined) own.push(0, 1, 1900);
  if (hour === undefined) own.push(0, 12);
  const words = shown.toLowerCase().match(/[a-z]{3,}/g) ?? [];
  const named = words.find((word) => MONTHS.includes(word.slice(0, 3)));
  if (named && MONTHS.indexOf(named.slice(0, 3)) + 1 !== month) return false;
  const numbers = (shown.match(/\d+/g) ?? []).map(Number);
  return numbers.length > 0 && numbers.every((number) => own.includes(number));
}

/** Cells of a sheet that differ from Excel's: [row, column, value, shown]. Its CSV begins at A1 or with the first cells in use. */
export function differences(rows, records) {
  const filled = [...rows].filter(([, cells]) => cells.some((cell) => !isBlank(cell)));
  const top = Math.min(...filled.map(([row]) => row)) - 1;
  const left = Math.min(...filled.map(([, cells]) => cells.findIndex((cell) => !isBlank(cell))));
  let best = differencesFrom(rows, records);
  for (let down = 0; down <= Math.min(top, 50) && best.length > 0; down++) {
    for (const right of new Set([0, left])) {
      const moved = new Map([...rows].map(([row, cells]) => [row - down, cells.slice(right)]));
      const found = differencesFrom(moved, records);
      if (found.length < best.length) best = found;
    }
  }
  return best;
}

// A text carried down a merged range is right.
function differencesFrom(rows, records) {
  const found = [];
  const last = Math.max(records.length, ...rows.keys(), 0);
  const carried = new Map();
  for (let row = 1; row <= last; row++) {
    const cells = rows.get(row) ?? [];
    const record = records[row - 1] ?? [];
    for (let column = 0; column < Math.max(cells.length, record.length); column++) {
      const value = cells[column];
      const shown = record[column] ?? '';
      if (isSameCell(value, shown)) {
        carried.set(column, value);
        continue;
      }
      if (typeof value === 'string' && shown === '' && carried.get(column) === value) continue;
      found.push([row, column, value ?? null, shown]);
    }
  }
  return found;
}
