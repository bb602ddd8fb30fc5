import type { ModelItem, TensorItem } from '../backends/interface.ts';
import { type InputKeys, inputKeys } from '../domain/models/input-keys.ts';
import { onnxInputKeys } from '../domain/onnx/expected-inputs.ts';
import type { Language } from '../schemas.ts';

export function isRunnable({ code, onnx }: ModelItem): boolean {
  return code !== undefined || onnx !== undefined;
}

/** The keys that a model has for its inputs; `undefined` where they can't be known. */
export function keysOf({ code, language, onnx }: ModelItem): InputKeys | undefined {
  if (onnx) return onnxInputKeys(onnx);
  // Only ONNX models have that language.
  return code === undefined ? undefined : inputKeys(code, language as Language);
}

/** What is said of a run that went well. */
export function inferenceText(model: string, outputs: readonly TensorItem[]): string {
  const saved = outputs.map(({ name, uuid }) => `'${name}' (UUID: ${uuid})`).join(', ');
  return `Inference successful with model '${model}'. Output tensor${outputs.length === 1 ? '' : 's'} saved as ${saved}.`;
}
