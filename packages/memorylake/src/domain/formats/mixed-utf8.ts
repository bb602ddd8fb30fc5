/**
 * Files that were put together from several sources hold UTF-8 in most places and Windows-1252 in some. Characters of several
 * bytes that are valid are hardly ever anything but UTF-8, so one of them for each stray byte is evidence enough.
 */
export function isMostlyUtf8(bytes: Uint8Array): boolean {
  let valid = 0;
  let stray = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    if (length > 1) valid++;
    else if (length === 0) stray++;
    at += length || 1;
  }
  return valid >= LEAST && valid >= stray;
}

/** Decodes UTF-8, and what is not UTF-8 by the other decoder. */
export function decodeMixedUtf8(bytes: Uint8Array, decodeStray: (bytes: Uint8Array) => string): string {
  const utf8 = new TextDecoder('utf-8');
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at);
    if (length === 0) {
      parts.push(utf8.decode(bytes.subarray(from, at)), decodeStray(bytes.subarray(at, at + 1)));
      from = at + 1;
    }
    at += length || 1;
  }
  parts.push(utf8.decode(bytes.subarray(from)));
  return parts.join('');
}

const LEAST = 2;

/** Bytes of the UTF-8 character at a position; 0 where there is none. */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  for (let next = 1; next < length; next++) if ((bytes[at + next]! & 0xc0) !== 0x80) return 0;
  return at + length <= bytes.length ? length : 0;
}
