import type { ModelItem, TensorItem } from '../backends/interface.ts';
import { type InputKeys, inputKeys } from '../domain/models/input-keys.ts';
import { onnxInputKeys } from '../domain/onnx/expected-inputs.ts';
import type { Language } from '../schemas.ts';

export function isRunnable({ code, onnx }: ModelItem): boolean {
  return code !== undefined || onnx !== undefined;
}

/** The input keys of a model; `undefined` if unknown. */
export function keysOf({ code, language, onnx }: ModelItem): InputKeys | undefined {
  if (onnx) return onnxInputKeys(onnx);
  // Only ONNX models have this language.
  return code === undefined ? undefined : inputKeys(code, language as Language);
}

/** The sentence for a successful run. */
export function inferenceText(model: string, outputs: readonly TensorItem[]): string {
  const saved = outputs.map(({ name, uuid }) => `'${name}' (UUID: ${uuid})`).join(', ');
  return `Inference successful with model '${model}'. Output tensor${outputs.length === 1 ? '' : 's'} saved as ${saved}.`;
}
