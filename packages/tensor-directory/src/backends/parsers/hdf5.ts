import { countOf, isDtype, MAX_DIMENSIONS, type NamedTensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import { complexPairs } from '@atoll-mcp/formats/npy';
import type { Metadata } from 'h5wasm';
import { storedType } from './hdf5-header.ts';
import { loaded, type ParsedFile, type Parser } from './parser.ts';

const SIGNATURE = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1');
/** Where a file may begin, behind a block of the user's; each further place is twice as far. */
const FIRST_USER_BLOCK = 512;
/** HDF5's numbers for classes of types, by which its library names them. */
const INTEGER = 0;
const FLOAT = 1;
const COMPOUND = 6;
const ENUM = 8;
const OTHERS: Readonly<Record<number, string>> = {
  3: 'text',
  4: 'bit field',
  5: 'opaque',
  6: 'compound',
  7: 'reference',
  8: 'enumeration',
  9: 'lists',
  10: 'arrays',
};
const MAX_DATASETS = 100_000;

/** All datasets of numbers, groups and all. The library sees this file alone: links to others lead nowhere. */
export const parseHdf5: Parser = async (file, maxBytes) => {
  const base = startOf(file);
  const { h5wasm, Dataset, Datatype, Group } = await loaded('h5wasm', () => import('h5wasm'));
  const library = await h5wasm.ready;
  // Otherwise what cannot be read comes out as zeros.
  library.activate_throwing_error_handler();
  const content = Buffer.from(file.read(0, file.sizeBytes));
  // A file system in memory, without a way to that of the machine.
  library.FS.writeFile('/file', content);
  const opened = new h5wasm.File('/file', 'r');
  const tensors: NamedTensor[] = [];
  const skipped: string[] = [];
  let left = maxBytes;
  const visit = (group: InstanceType<typeof Group>, prefix: string) => {
    for (const name of group.keys()) {
      const key = `${prefix}${name}`;
      if (tensors.length + skipped.length >= MAX_DATASETS) throw new FormatError('it has too many datasets');
      // Links are other names for what is found under its own, or for what is not in this file.
      const isLink = opened.get_link(`${group.path === '/' ? '' : group.path}/${name}`);
      const item = isLink ? undefined : group.get(name);
      if (item instanceof Group) visit(item, `${key}.`);
      else if (item instanceof Dataset) read(item, key);
      else skipped.push(`${key} (${item instanceof Datatype ? 'a type' : 'link'})`);
    }
  };
  const read = (dataset: InstanceType<typeof Dataset>, key: string) => {
    const { metadata } = dataset;
    const { shape, size } = metadata;
    const address = Buffer.from(library.create_object_reference(dataset.file_id, dataset.path)).readBigUInt64LE();
    const found = dtypeOf(metadata, () => storedType(content, Number(address), base));
    if (!shape || !isDtype(found)) {
      skipped.push(`${key} (${shape ? found : 'empty'})`);
      return;
    }
    const isComplex = isPairs(metadata);
    const bytes = countOf(shape) * size;
    left -= bytes;
    if (shape.length > MAX_DIMENSIONS || !(left >= 0))
      throw new FormatError(`'${key}' is too large; all arrays together may take ${maxBytes} bytes`);
    const at = library._malloc(bytes);
    try {
      const status = library.get_dataset_data(dataset.file_id, dataset.path, null, null, null, BigInt(at));
      if (at === 0 || status < 0) throw new Error('The values cannot be read');
      // In this machine's order of bytes, whatever that of the file is.
      const data = library.HEAPU8.slice(at, at + bytes);
      tensors.push({ key, tensor: isComplex ? complexPairs(found, shape, data) : { dtype: found, shape, data } });
    } catch (cause) {
      const filters = dataset.filters.map(({ id, name }) => name || `filter ${id}`).join(', ');
      const packed = filters && `, or packed in a way that is not supported (${filters.slice(0, 200)})`;
      throw new FormatError(`'${key}' is damaged${packed}`, { cause });
    } finally {
      library._free(at);
    }
  };
  visit(opened, '');
  if (tensors.length === 0) throw new FormatError(`it holds no arrays of numbers${listed(skipped)}`);
  return { tensors, skipped };
};

function startOf(file: ParsedFile): number {
  for (let at = 0; at + SIGNATURE.length <= file.sizeBytes; at = at * 2 || FIRST_USER_BLOCK)
    if (SIGNATURE.equals(Buffer.from(file.read(at, at + SIGNATURE.length)))) return at;
  throw new FormatError('it is not a HDF5 file');
}

/** The dtype, or what else it is. */
function dtypeOf(metadata: Metadata, stored: () => ReturnType<typeof storedType>): string {
  const { type, size, enum_type: values, virtual_sources: sources } = metadata;
  // Other files are not read, and the library would give zeros for them.
  if (sources?.some(({ file_name: name }) => name !== '.')) return 'virtual, its values are in other files';
  // What h5py writes for a bool.
  const isBool = type === ENUM && size === 1 && values?.members.FALSE === 0 && values.members.TRUE === 1;
  const isComplex = isPairs(metadata);
  if (!isBool && !isComplex && type !== INTEGER && type !== FLOAT) return OTHERS[type] ?? 'unknown type';
  const { dtype, isExternal } = stored();
  if (isExternal) return 'its values are in another file';
  if (isComplex) return `float${size * 4}`;
  if (isBool) return 'bool';
  return dtype && isDtype(dtype) ? dtype : `${type === FLOAT ? 'floats' : 'integers'} of an unusual kind`;
}

/** What h5py writes for a complex number. */
function isPairs({ type, size, compound_type: compound }: Metadata): boolean {
  const [real, imaginary] = compound?.members ?? [];
  return (
    type === COMPOUND &&
    (size === 8 || size === 16) &&
    compound?.nmembers === 2 &&
    [real, imaginary].every((part) => part?.type === FLOAT && part.size === size / 2) &&
    real?.name === 'r' &&
    real.offset === 0 &&
    imaginary?.name === 'i' &&
    imaginary.offset === size / 2
  );
}

function listed(skipped: readonly string[]): string {
  return skipped.length > 0 ? `; it has ${skipped.slice(0, 10).join(', ')}` : '';
}
