import { createRequire } from 'node:module';

/** Which backends this installation could use. A package that is there may still fail to load. */
export function availableBackends(): Record<string, boolean> {
  return {
    onnx: isInstalled('onnxruntime-node'),
    wasm: isInstalled('onnxruntime-web'),
    transformers: isInstalled('@huggingface/transformers') || isInstalled('@xenova/transformers'),
    // It needs an address to be told, so it is there only where it is in use.
    openai: false,
  };
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (error) {
    // It is there, but not for `require`.
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}
