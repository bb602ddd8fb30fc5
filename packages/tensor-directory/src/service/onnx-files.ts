import { FormatError } from '@atoll-mcp/formats/format-error';
import type { Backends } from '../backends/interface.ts';
import { inlineExternalData } from '../domain/onnx/inline-data.ts';
import { type OnnxFacts, readOnnx } from '../domain/onnx/onnx-model.ts';
import { importRefused, invalidOnnx } from '../errors.ts';
import type { Limits } from './tensors.ts';

/** Size limit of protobuf messages. */
const MAX_MODEL_BYTES = 2 ** 31 - 1;

/** A validated model: its facts, and its content as one file. */
export interface ReadModel {
  readonly facts: OnnxFacts;
  readonly pieces: readonly Uint8Array[];
}

/** Reads a model from a request. It must be complete: external data files cannot be sent. */
export function readSentModel(name: string, base64: string, { maxTensorBytes }: Limits): ReadModel {
  if (base64.trim() === '' || /[^A-Za-z0-9+/=\s]/.test(base64))
    throw invalidOnnx(name, 'it must be the file in base64');
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.byteLength > maxTensorBytes)
    throw invalidOnnx(name, `it has ${bytes.byteLength} bytes; at most ${maxTensorBytes} are allowed`);
  try {
    const facts = readOnnx(bytes);
    if (facts.externalFiles.length === 0) return { facts, pieces: [bytes] };
  } catch (error) {
    throw error instanceof FormatError ? invalidOnnx(name, error.message, error) : error;
  }
  throw invalidOnnx(name, 'a part of it is in other files; put them into an import folder and use import_model');
}

/** Reads a model from an import folder, with its external data files. */
export async function readModelFile(
  path: string,
  files: Backends['files'],
  { maxTensorBytes }: Limits,
): Promise<ReadModel & { readonly fileName: string }> {
  const maxBytes = Math.min(maxTensorBytes, MAX_MODEL_BYTES);
  const { bytes, fileName } = await files.read(path, { maxBytes });
  try {
    const facts = readOnnx(bytes);
    if (facts.externalFiles.length === 0) return { facts, pieces: [bytes], fileName };
    const beside = new Map<string, Uint8Array>();
    let left = maxBytes - bytes.byteLength;
    for (const location of facts.externalFiles) {
      const content = await files.readBeside(path, location, { maxBytes: left });
      left -= content.byteLength;
      beside.set(location, content);
    }
    const pieces = inlineExternalData(bytes, beside);
    const total = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
    if (total > maxBytes) throw new FormatError(`it takes more than the allowed ${maxBytes} bytes`);
    return { facts: { ...facts, externalFiles: [] }, pieces, fileName };
  } catch (error) {
    throw error instanceof FormatError ? importRefused(path, error.message, error) : error;
  }
}
