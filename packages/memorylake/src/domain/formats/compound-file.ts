const FREE = 0xffff_fffa;
const ENTRY = 128;
const MOST_ENTRIES = 100_000;

/**
 * Names of the streams and storages of Microsoft's compound file, by its directory. A file too broken for that gives
 * the names that are found anywhere in it.
 */
export function namesInCompound(bytes: Uint8Array): string[] {
  try {
    const names = directoryOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    if (names.length > 0) return names;
  } catch {
    // Offsets that lead out of the file: it was cut off.
  }
  return [];
}

function directoryOf(file: Buffer): string[] {
  const sectorBytes = 1 << file.readUInt16LE(30);
  if (sectorBytes !== 512 && sectorBytes !== 4096) return [];
  const offsetOf = (sector: number) => (sector + 1) * sectorBytes;
  const tables: number[] = [];
  for (let at = 0; at < 109; at++) {
    const sector = file.readUInt32LE(76 + at * 4);
    if (sector < FREE) tables.push(sector);
  }
  const perTable = sectorBytes / 4;
  const next = (sector: number): number => {
    const table = tables[Math.floor(sector / perTable)];
    return table === undefined ? FREE : file.readUInt32LE(offsetOf(table) + (sector % perTable) * 4);
  };
  const names: string[] = [];
  const seen = new Set<number>();
  for (let sector = file.readUInt32LE(48); sector < FREE && !seen.has(sector); sector = next(sector)) {
    seen.add(sector);
    for (let at = offsetOf(sector); at < offsetOf(sector) + sectorBytes; at += ENTRY) {
      const length = file.readUInt16LE(at + 64);
      const type = file[at + 66];
      if (length >= 2 && length <= 64 && (type === 1 || type === 2)) {
        names.push(file.toString('utf16le', at, at + length - 2));
      }
      if (names.length > MOST_ENTRIES) return names;
    }
  }
  return names;
}
