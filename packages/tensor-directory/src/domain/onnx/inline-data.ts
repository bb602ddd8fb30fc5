import { FormatError } from '@atoll-mcp/formats/format-error';
import { entryOf, sizeOf } from './onnx-model.ts';
import { fieldsOf, messageOf, textOf, writeBytes } from './protobuf.ts';

type Kind = 'model' | 'training' | 'graph' | 'function' | 'node' | 'attribute' | 'sparse' | 'tensor';

/** Which fields of which messages lead to tensors. */
const PARTS: Readonly<Record<Kind, Readonly<Record<number, Kind>>>> = {
  model: { 7: 'graph', 20: 'training', 25: 'function' },
  training: { 1: 'graph', 2: 'graph' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  function: { 7: 'node', 11: 'attribute' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  tensor: {},
};

const RAW_DATA = 9;
const EXTERNAL_DATA = 13;
const DATA_LOCATION = 14;

/** The model with the values that lie in files beside it put into it, so that it can be stored as one file. */
export function inlineExternalData(model: Uint8Array, files: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const rewrite = (message: Uint8Array, kind: Kind): Uint8Array[] => {
    if (kind === 'tensor') return inlineTensor(message, files);
    return [...fieldsOf(message)].flatMap((field) => {
      const part = PARTS[kind][field.number];
      return part ? writeBytes(field.number, rewrite(messageOf(field), part)) : [field.raw];
    });
  };
  return rewrite(model, 'model');
}

function inlineTensor(tensor: Uint8Array, files: ReadonlyMap<string, Uint8Array>): Uint8Array[] {
  const fields = [...fieldsOf(tensor)];
  const entries = new Map(
    fields
      .filter(({ number }) => number === EXTERNAL_DATA)
      .map((field) => {
        const { key, value } = entryOf(messageOf(field));
        return [key, value] as const;
      }),
  );
  if (entries.size === 0) return [tensor];
  const name = fields.filter(({ number }) => number === 8).map(textOf)[0] ?? '';
  const file = files.get(entries.get('location') ?? '');
  if (!file) throw new FormatError(`its tensor '${name}' does not say which file it is in`);
  const offset = placeOf(entries.get('offset') ?? '0', name);
  const length = entries.has('length') ? placeOf(entries.get('length')!, name) : file.byteLength - offset;
  if (offset + length > file.byteLength || length < 0)
    throw new FormatError(`its tensor '${name}' lies beyond the end of '${entries.get('location')}'`);
  const kept = fields.filter(({ number }) => ![RAW_DATA, EXTERNAL_DATA, DATA_LOCATION].includes(number));
  return [...kept.map(({ raw }) => raw), ...writeBytes(RAW_DATA, [file.subarray(offset, offset + length)])];
}

function placeOf(text: string, name: string): number {
  if (!/^\d{1,19}$/.test(text)) throw new FormatError(`the place of its tensor '${name}' is not a number`);
  return sizeOf(BigInt(text));
}
