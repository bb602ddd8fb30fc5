import { countOf, type Dtype, isDtype, MAX_DIMENSIONS, type NamedTensor } from '@atoll-mcp/formats/dtypes';
import { FormatError } from '@atoll-mcp/formats/format-error';
import type { Metadata } from 'h5wasm';
import { checkStart, loaded, type Parser } from './parser.ts';

const SIGNATURE = '\x89HDF\r\n\x1a\n';
/** HDF5's numbers for classes of types, by which its library names them. */
const INTEGER = 0;
const FLOAT = 1;
const ENUM = 8;
const OTHERS: Readonly<Record<number, string>> = { 3: 'text', 5: 'opaque', 6: 'compound', 7: 'reference', 9: 'lists' };
const MAX_DATASETS = 100_000;

/** All datasets of numbers, groups and all. The library sees this file alone: links to others lead nowhere. */
export const parseHdf5: Parser = async (file, maxBytes) => {
  checkStart(file, 'HDF5', [SIGNATURE]);
  const { h5wasm, Dataset, Group } = await loaded('h5wasm', () => import('h5wasm'));
  const library = await h5wasm.ready;
  // Otherwise what cannot be read comes out as zeros.
  library.activate_throwing_error_handler();
  // A file system in memory, without a way to that of the machine.
  library.FS.writeFile('/file', new Uint8Array(file.read(0, file.sizeBytes)));
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
      else skipped.push(`${key} (link)`);
    }
  };
  const read = (dataset: InstanceType<typeof Dataset>, key: string) => {
    const { metadata } = dataset;
    const { shape, size } = metadata;
    const dtype = dtypeOf(metadata);
    if (!dtype || !shape) {
      skipped.push(`${key} (${shape ? (OTHERS[metadata.type] ?? 'unknown type') : 'empty'})`);
      return;
    }
    const bytes = countOf(shape) * size;
    left -= bytes;
    if (shape.length > MAX_DIMENSIONS || !(left >= 0))
      throw new FormatError(`'${key}' is too large; all arrays together may take ${maxBytes} bytes`);
    const at = library._malloc(bytes);
    try {
      const status = library.get_dataset_data(dataset.file_id, dataset.path, null, null, null, BigInt(at));
      if (at === 0 || status < 0) throw new FormatError(`'${key}' is damaged`);
      // In this machine's order of bytes, whatever that of the file is.
      const data = library.HEAPU8.slice(at, at + bytes);
      tensors.push({ key, tensor: { dtype, shape, data } });
    } finally {
      library._free(at);
    }
  };
  visit(opened, '');
  if (tensors.length === 0) throw new FormatError('it holds no arrays of numbers');
  return { tensors, skipped };
};

function dtypeOf({ type, size, signed, enum_type: values }: Metadata): Dtype | undefined {
  // What h5py writes for a bool.
  if (type === ENUM && size === 1 && values?.members.FALSE === 0 && values.members.TRUE === 1) return 'bool';
  const name =
    type === FLOAT ? `float${size * 8}` : type === INTEGER ? `${signed ? '' : 'u'}int${size * 8}` : undefined;
  return name !== undefined && isDtype(name) ? name : undefined;
}
