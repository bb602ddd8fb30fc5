import { guessLegacyEncoding } from './legacy-encoding.ts';
import { decodeMixedUtf8, isMostlyUtf8 } from './mixed-utf8.ts';

interface DecodedText {
  readonly text: string;
  /** As the Encoding Standard names it, or `utf-32le`, `utf-32be`, or `utf-8 and windows-1252` in one file. */
  readonly encoding: string;
}

const SAMPLE = 64 * 1024;
const MIXED = 'utf-8 and windows-1252';

/** Reads bytes as text: by byte order mark, by the zero bytes of UTF-16 and UTF-32, as UTF-8 if valid, else by guess. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = detectEncoding(bytes);
  return { text: decodeAs(encoding, bytes), encoding };
}

/** Reads a web page: what it declares holds, unless its bytes show otherwise. */
export function decodeHtml(bytes: Uint8Array): string {
  const found = detectEncoding(bytes);
  if (found.startsWith('utf-16') || found.startsWith('utf-32')) return decodeAs(found, bytes);
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4_096)).toString('latin1');
  const declared =
    /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml[^>]+encoding\s*=\s*["']([\w:.-]+)/i.exec(head)?.[1];
  const label = declared === undefined ? undefined : knownLabel(declared);
  if (label === undefined || label === 'utf-8' || label.startsWith('utf-16')) return decodeAs(found, bytes);
  return decodeAs(label, bytes);
}

function detectEncoding(bytes: Uint8Array): string {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return 'utf-32le';
  if (startsWith(bytes, 0, 0, 0xfe, 0xff)) return 'utf-32be';
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  return (
    unmarkedUtf32(bytes) ??
    unmarkedUtf16(bytes) ??
    (isUtf8(bytes) ? 'utf-8' : isMostlyUtf8(bytes) ? MIXED : guessLegacyEncoding(bytes.subarray(0, SAMPLE)))
  );
}

/** Tab, line feed, form feed, carriage return, the end sign of DOS, and escape. */
const CONTROLS_OF_TEXT = new Set([9, 10, 12, 13, 26, 27]);

/** Bytes that no text has: what is left is a picture, a program or an unknown format. */
export function looksBinary(bytes: Uint8Array): boolean {
  const encoding = detectEncoding(bytes);
  if (encoding.startsWith('utf-16') || encoding.startsWith('utf-32')) return false;
  const sample = bytes.subarray(0, SAMPLE);
  let odd = 0;
  for (const byte of sample) if (byte < 32 && !CONTROLS_OF_TEXT.has(byte)) odd++;
  return odd > sample.length * 0.005;
}

export interface Decoder {
  decode(bytes: Uint8Array): string;
}

/** Windows and Macintosh code pages by number; unknown ones are read as Western text. */
export function decoderOfCodePage(page: number): Decoder {
  const label = CODE_PAGES.get(page) ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : 'windows-1252');
  return { decode: (bytes) => decodeAs(label, bytes) };
}

const CODE_PAGES: ReadonlyMap<number, string> = new Map([
  [866, 'ibm866'],
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [10000, 'macintosh'],
  [10007, 'x-mac-cyrillic'],
  [20866, 'koi8-r'],
  [65001, 'utf-8'],
]);

function decodeAs(encoding: string, bytes: Uint8Array): string {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return decodeUtf32(bytes, encoding === 'utf-32le');
  if (encoding === MIXED) return decodeMixedUtf8(bytes, (part) => decodeAs('windows-1252', part));
  const text = new TextDecoder(encoding).decode(bytes);
  // Node reads windows-1252 as ISO 8859-1, which has control characters where Windows has quotes and dashes.
  return encoding === 'windows-1252'
    ? text.replace(/[\u0080-\u009f]/g, (sign) => C1[sign.charCodeAt(0) - 0x80] ?? sign)
    : text;
}

const C1 = [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'];

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle);
    if (at === 0 && code === 0xfeff) continue;
    parts.push(code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd');
  }
  return parts.join('');
}

function knownLabel(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

const startsWith = (bytes: Uint8Array, ...sign: number[]): boolean => sign.every((byte, at) => bytes[at] === byte);

// Every character of UTF-32 has at least one zero byte at its high end, and a small second one.
function unmarkedUtf32(bytes: Uint8Array): 'utf-32le' | 'utf-32be' | undefined {
  const sample = bytes.subarray(0, Math.min(bytes.length, SAMPLE) & ~3);
  if (sample.length < 8 || bytes.length % 4 !== 0) return undefined;
  const fits = (high: number, second: number) => {
    for (let at = 0; at < sample.length; at += 4) {
      if (sample[at + high] !== 0 || sample[at + second]! > 0x10) return false;
    }
    return true;
  };
  const [little, big] = [fits(3, 2), fits(0, 1)];
  if (little === big) return undefined;
  const encoding = little ? 'utf-32le' : 'utf-32be';
  return isPrintable(decodeUtf32(sample, little)) ? encoding : undefined;
}

// Western text in UTF-16 has a zero in every other byte; Chinese text at least at its spaces and line ends.
function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const sample = bytes.subarray(0, Math.min(bytes.length, SAMPLE) & ~1);
  if (sample.length < 4 || bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < sample.length; at += 2) {
    if (sample[at] === 0) even++;
    if (sample[at + 1] === 0) odd++;
  }
  const pairs = sample.length / 2;
  const little = odd > pairs * 0.3 && even < pairs * 0.02;
  const big = even > pairs * 0.3 && odd < pairs * 0.02;
  if (little === big) return undefined;
  const encoding = little ? 'utf-16le' : 'utf-16be';
  return isPrintable(new TextDecoder(encoding).decode(sample)) ? encoding : undefined;
}

/** Sounds and tables of numbers have zeros like wide text has; what they decode to is not text. */
function isPrintable(text: string): boolean {
  const odd = text.match(/(?!\s)\p{Cc}|\p{Cn}|\p{Co}|\p{Cs}|\ufffd/gu)?.length ?? 0;
  return odd <= text.length * 0.005;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // The head of a longer file may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: bytes.length >= SAMPLE });
    return true;
  } catch {
    return false;
  }
}
