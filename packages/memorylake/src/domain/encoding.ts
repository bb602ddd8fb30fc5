export interface DecodedText {
  readonly text: string;
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030' | 'windows-1252';
}

const SAMPLE = 64 * 1024;

/** Reads bytes as text: by byte order mark, by the zero bytes of UTF-16, as UTF-8 if valid, else GB18030 or Latin-1. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const encoding = detectEncoding(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

export function detectEncoding(bytes: Uint8Array): DecodedText['encoding'] {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return unmarkedUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : pairsLikeChinese(bytes) ? 'gb18030' : 'windows-1252');
}

/** Bytes that no text has: what is left is a picture, a program or an unknown format. */
export function looksBinary(bytes: Uint8Array): boolean {
  const encoding = detectEncoding(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return false;
  const sample = bytes.subarray(0, SAMPLE);
  let odd = 0;
  for (const byte of sample)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 12 && byte !== 13 && byte !== 27) odd++;
  return odd > sample.length * 0.005;
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
  if (odd > pairs * 0.3 && even < pairs * 0.02) return 'utf-16le';
  if (even > pairs * 0.3 && odd < pairs * 0.02) return 'utf-16be';
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

// In Chinese text high bytes come in pairs, both from A1 up; in Latin-1 they stand alone between letters.
function pairsLikeChinese(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, SAMPLE);
  let paired = 0;
  let high = 0;
  for (let at = 0; at < sample.length; at++) {
    if (sample[at]! < 0x80) continue;
    if (sample[at]! >= 0xa1 && (sample[at + 1] ?? 0) >= 0xa1) {
      paired += 2;
      high += 2;
      at++;
    } else high++;
  }
  return paired > high * 0.7 && canDecode(sample);
}

function canDecode(sample: Uint8Array): boolean {
  // The sample may end inside a character, so the last bytes are left out of the judgement.
  const text = new TextDecoder('gb18030').decode(sample.subarray(0, Math.max(0, sample.length - 4)));
  return (text.match(/\ufffd/g)?.length ?? 0) <= text.length * 0.001;
}
