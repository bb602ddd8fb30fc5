const FREE = 0xffff_fffa;
const NONE = 0xffff_ffff;
const ENTRY = 128;
const MAX_ENTRIES = 100_000;

/** Names of the streams and storages of Microsoft's compound file: those of the file itself, and also those of what is embedded in it. */
interface CompoundNames {
  readonly own: readonly string[];
  readonly all: readonly string[];
}

/** By its directory; a file too broken for that gives no names. */
export function namesInCompound(bytes: Uint8Array): CompoundNames {
  try {
    const entries = directoryOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return { own: siblingsFrom(entries, entries[0]?.child ?? NONE), all: namesOf(entries) };
  } catch {
    // Offsets that lead out of the file: it was cut off.
    return { own: [], all: [] };
  }
}

interface Entry {
  readonly name: string | undefined;
  readonly left: number;
  readonly right: number;
  readonly child: number;
}

const namesOf = (entries: readonly Entry[]): string[] => entries.flatMap(({ name }) => name ?? []);

/** The entries of one storage are a tree of their own. */
function siblingsFrom(entries: readonly Entry[], first: number): string[] {
  const seen = new Set<number>();
  const names: string[] = [];
  for (const open = [first]; open.length > 0; ) {
    const at = open.pop()!;
    const entry = entries[at];
    if (!entry || seen.has(at)) continue;
    seen.add(at);
    if (entry.name !== undefined) names.push(entry.name);
    open.push(entry.left, entry.right);
  }
  return names;
}

function directoryOf(file: Buffer): Entry[] {
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
  const entries: Entry[] = [];
  const seen = new Set<number>();
  for (let sector = file.readUInt32LE(48); sector < FREE && !seen.has(sector); sector = next(sector)) {
    seen.add(sector);
    for (let at = offsetOf(sector); at < offsetOf(sector) + sectorBytes; at += ENTRY) {
      const length = file.readUInt16LE(at + 64);
      const type = file[at + 66];
      const isNamed = length >= 2 && length <= 64 && (type === 1 || type === 2);
      entries.push({
        name: isNamed ? file.toString('utf16le', at, at + length - 2) : undefined,
        left: file.readUInt32LE(at + 68),
        right: file.readUInt32LE(at + 72),
        child: file.readUInt32LE(at + 76),
      });
      if (entries.length > MAX_ENTRIES) return entries;
    }
  }
  return entries;
}
