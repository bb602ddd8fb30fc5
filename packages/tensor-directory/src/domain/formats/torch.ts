import { countOf, type Dtype, FACTS, isDtype, MAX_DIMENSIONS, type Tensor } from '@atoll-mcp/formats/dtypes';
import { FormatError, UnstorableError } from '@atoll-mcp/formats/format-error';
import { complexPairs } from '@atoll-mcp/formats/npy';
import { type ByteSource, inMemory, unzip, type ZipEntry, zipEntries } from '@atoll-mcp/formats/zip';
import { collectTensors, type FoundTensors, type TensorFormat } from './format.ts';
import { PickledName, PickledReference, readPickle } from './pickle.ts';

/** Element types by the name of their storage. */
const STORAGES: ReadonlyMap<string, Dtype> = new Map(
  Object.entries<Dtype>({
    'torch.FloatStorage': 'float32',
    'torch.DoubleStorage': 'float64',
    'torch.HalfStorage': 'float16',
    'torch.BFloat16Storage': 'bfloat16',
    'torch.LongStorage': 'int64',
    'torch.IntStorage': 'int32',
    'torch.ShortStorage': 'int16',
    'torch.CharStorage': 'int8',
    'torch.ByteStorage': 'uint8',
    'torch.BoolStorage': 'bool',
  }),
);

/** The dtypes that have no storage of their own kind: theirs is named beside it. */
const UNTYPED = 'torch.storage.UntypedStorage';
const DTYPE_NAME = /^torch\.(\w+)$/;

/** Complex numbers, by the dtype of their parts. */
const COMPLEX: ReadonlyMap<string, Dtype> = new Map(
  Object.entries<Dtype>({
    'torch.ComplexFloatStorage': 'float32',
    'torch.ComplexDoubleStorage': 'float64',
    'torch.complex32': 'float16',
    'torch.complex64': 'float32',
    'torch.complex128': 'float64',
  }),
);

/** What a checkpoint may call, none of which is called: each is known by what PyTorch means by it. */
const REBUILD_TENSOR = new Set(['torch._utils._rebuild_tensor_v2', 'torch._utils._rebuild_tensor']);
const REBUILD_OTHER_TENSOR = 'torch._utils._rebuild_tensor_v3';
const REBUILD_PARAMETER = 'torch._utils._rebuild_parameter';
const ORDERED_DICT = 'collections.OrderedDict';
const DEFAULT_DICT = 'collections.defaultdict';
const SIZE = 'torch.Size';
/** What training leaves beside the tensors. None of it is made; NumPy's arrays are named in the answer. */
const LEFT_OUT: ReadonlyMap<string, string | undefined> = new Map([
  ['torch.device', undefined],
  ['__builtin__.set', undefined],
  ['builtins.set', undefined],
  ['_codecs.encode', undefined],
  ['numpy.dtype', undefined],
  ['numpy.core.multiarray.scalar', undefined],
  ['numpy._core.multiarray.scalar', undefined],
  ['numpy.core.multiarray._reconstruct', 'NumPy array'],
  ['numpy._core.multiarray._reconstruct', 'NumPy array'],
]);

const MAX_ENTRIES = 100_000;
const MAX_DEPTH = 32;
const MAX_VISITS = 1_000_000;

/** Checkpoints as `torch.save` writes them since PyTorch 1.6: a zip file of plain bytes, and a pickle that says what they are. */
export const torch: TensorFormat = {
  extensions: ['.pt', '.pth'],
  read: (bytes, { maxBytes }) => new CheckpointReader(bytes, maxBytes).read(),
};

class CheckpointReader {
  readonly #zip: ByteSource;
  readonly #entries = new Map<string, ZipEntry>();
  readonly #prefix: string;
  /** Unpacked storages by their names: any number of tensors may be views of one. */
  readonly #storages = new Map<string, Uint8Array>();
  #left: number;
  #leftToUnpack: number;
  #visits = 0;

  constructor(bytes: Uint8Array, maxBytes: number) {
    this.#zip = inMemory(bytes);
    this.#left = maxBytes;
    this.#leftToUnpack = maxBytes;
    if (bytes[0] !== 0x50 || bytes[1] !== 0x4b)
      throw new FormatError(
        'it is not a PyTorch file of version 1.6 or later; load it and save it again with torch.save',
      );
    for (const entry of zipEntries(this.#zip, { maxEntries: MAX_ENTRIES })) this.#entries.set(entry.name, entry);
    const pickle = [...this.#entries.keys()].find((name) => /^[^/]+\/data\.pkl$/.test(name));
    if (pickle === undefined) throw new FormatError('it has no data.pkl, so it is not a PyTorch file');
    this.#prefix = pickle.slice(0, -'data.pkl'.length);
    if (this.#entries.has(`${this.#prefix}constants.pkl`))
      throw new FormatError('it is a TorchScript program; save its state_dict() instead');
  }

  read(): FoundTensors {
    const order = this.#entries.get(`${this.#prefix}byteorder`);
    if (order && Buffer.from(this.#content(order)).toString('latin1') !== 'little')
      throw new FormatError('its values are big-endian, which is not supported');
    const pickle = this.#content(this.#entries.get(`${this.#prefix}data.pkl`)!);
    const root = readPickle(pickle, (name, args) => this.#build(name, args));
    return collectTensors(this.#tensorsIn(root, '', 0), 'it holds no tensors');
  }

  /** All tensors in dictionaries and lists, by their keys joined with dots; everything else is left out. */
  *#tensorsIn(value: unknown, key: string, depth: number): Generator<{ key?: string; read: () => Tensor }> {
    // One list may be in many others, so what there is to visit can be far more than what was read.
    if (depth > MAX_DEPTH || ++this.#visits > MAX_VISITS)
      throw new FormatError('its dictionaries are nested too deeply');
    if (value instanceof CheckpointTensor) yield { ...(key && { key }), read: () => value.tensor };
    if (value instanceof LeftOut && value.holds !== undefined) yield { ...(key && { key }), read: value.refuse };
    const inner = value instanceof Map ? value : Array.isArray(value) ? value.entries() : [];
    for (const [name, item] of inner as Iterable<[unknown, unknown]>) {
      yield* this.#tensorsIn(item, key ? `${key}.${keyText(name)}` : keyText(name), depth + 1);
    }
  }

  #build(name: string, args: readonly unknown[]): unknown {
    if (REBUILD_TENSOR.has(name)) return this.#tensorOrHole(args);
    if (name === REBUILD_OTHER_TENSOR) return this.#tensorOrHole([...args.slice(0, 6), args[7]], args[6]);
    if (name === REBUILD_PARAMETER) return args[0];
    if (name === ORDERED_DICT) {
      const pairs = args.length === 0 ? [] : args[0];
      if (!Array.isArray(pairs) || !pairs.every(Array.isArray)) throw new FormatError('its pickle is damaged');
      return new Map(pairs as [unknown, unknown][]);
    }
    if (name === SIZE) return args[0];
    if (name === DEFAULT_DICT) return new Map();
    if (LEFT_OUT.has(name)) return new LeftOut(LEFT_OUT.get(name));
    throw new FormatError(
      `it asks for '${name.slice(0, 200)}', which is not allowed and was not loaded; save a state_dict() of tensors instead`,
    );
  }

  #tensorOrHole(args: readonly unknown[], dtype?: unknown): CheckpointTensor | LeftOut {
    try {
      return new CheckpointTensor(this.#tensor(args, dtype));
    } catch (error) {
      if (error instanceof UnstorableError) return new LeftOut(error.holds);
      throw error;
    }
  }

  #tensor([storage, offset, size, stride, , , marks]: readonly unknown[], dtype: unknown): Tensor {
    // A view that is to be negated or conjugated when it is read.
    if (marks instanceof Map && marks.size > 0)
      throw new FormatError('a tensor in it is a negated or conjugated view; save a clone() of it instead');
    if (!(storage instanceof PickledReference) || !isSizes(size) || !isSizes(stride) || !isSizes([offset]))
      throw new FormatError('a tensor in it is damaged, or has a negative shape');
    if (size.length > MAX_DIMENSIONS || stride.length !== size.length)
      throw new FormatError('a tensor in it is damaged');
    const { type, isComplex, bytes, key } = this.#storage(storage.id, dtype);
    const itemBytes = FACTS[type].bytes * (isComplex ? 2 : 1);
    const count = countOf(size);
    const last = size.reduce((sum, length, axis) => sum + (length - 1) * stride[axis]!, offset as number);
    if (!Number.isSafeInteger(count * 16) || (count > 0 && (last + 1) * itemBytes > bytes.byteLength))
      throw new FormatError(`a tensor in it reaches beyond the end of its storage '${key}'`);
    this.#left -= count * itemBytes;
    if (this.#left < 0) throw new FormatError('its tensors take more than is allowed');
    const data = gather(bytes, itemBytes, offset as number, size, stride);
    return isComplex ? complexPairs(type, size, data) : { dtype: type, shape: size, data };
  }

  #storage(id: unknown, dtype: unknown): { type: Dtype; isComplex: boolean; bytes: Uint8Array; key: string } {
    const [tag, kind, key] = Array.isArray(id) ? (id as unknown[]) : [];
    if (tag !== 'storage' || !(kind instanceof PickledName) || typeof key !== 'string')
      throw new FormatError('a tensor in it is damaged');
    const own = dtype instanceof PickledName ? dtype.name : undefined;
    const part = COMPLEX.get(kind.name === UNTYPED ? (own ?? '') : kind.name);
    const type = part ?? (kind.name === UNTYPED ? dtypeNamed(own) : STORAGES.get(kind.name));
    if (!type) {
      const holds = `elements of ${(own ?? kind.name).slice(0, 200)}`;
      throw new UnstorableError(holds, `it holds ${holds}, which cannot be stored`);
    }
    const entry = this.#entries.get(`${this.#prefix}data/${key}`);
    if (!entry) throw new FormatError(`its storage '${key.slice(0, 80)}' is missing`);
    const bytes = this.#storages.get(key) ?? this.#unpacked(entry);
    this.#storages.set(key, bytes);
    return { type, isComplex: part !== undefined, bytes, key };
  }

  #unpacked(entry: ZipEntry): Uint8Array {
    const bytes = unzip(this.#zip, entry, Math.min(this.#zip.size, this.#leftToUnpack));
    this.#leftToUnpack -= bytes.byteLength;
    return bytes;
  }

  #content(entry: ZipEntry): Uint8Array {
    return unzip(this.#zip, entry, this.#zip.size);
  }
}

/** Keeps tensors apart from the plain lists and dictionaries around them. */
class CheckpointTensor {
  constructor(readonly tensor: Tensor) {}
}

/** What is in a checkpoint and is not made; with words for it where the answer names it. */
class LeftOut {
  readonly refuse = (): never => {
    throw new UnstorableError(this.holds ?? 'other', `it holds ${this.holds}, which cannot be stored`);
  };

  constructor(readonly holds: string | undefined) {}
}

function dtypeNamed(name: string | undefined): Dtype | undefined {
  const [, dtype = ''] = DTYPE_NAME.exec(name ?? '') ?? [];
  return isDtype(dtype) ? dtype : undefined;
}

function keyText(key: unknown): string {
  return typeof key === 'string' || typeof key === 'number' ? String(key).slice(0, 500) : 'key';
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);
}

/** The elements in row-major order; where they lie so already, no copy is made. */
function gather(
  bytes: Uint8Array,
  itemBytes: number,
  offset: number,
  size: readonly number[],
  stride: readonly number[],
): Uint8Array {
  const count = countOf(size);
  if (isContiguous(size, stride)) return bytes.subarray(offset * itemBytes, (offset + count) * itemBytes);
  const out = new Uint8Array(count * itemBytes);
  const place = new Array<number>(size.length).fill(0);
  let from = offset;
  for (let to = 0; to < out.length; to += itemBytes) {
    for (let byte = 0; byte < itemBytes; byte++) out[to + byte] = bytes[from * itemBytes + byte]!;
    for (let axis = size.length - 1; axis >= 0; axis--) {
      place[axis]!++;
      from += stride[axis]!;
      if (place[axis]! < size[axis]!) break;
      from -= stride[axis]! * size[axis]!;
      place[axis] = 0;
    }
  }
  return out;
}

function isContiguous(size: readonly number[], stride: readonly number[]): boolean {
  let expected = 1;
  for (let axis = size.length - 1; axis >= 0; axis--) {
    if (size[axis] !== 1 && stride[axis] !== expected) return countOf(size) === 0;
    expected *= size[axis]!;
  }
  return true;
}
