/** Which backends this installation could use. A package that is there may still fail to load. */
export function availableBackends(): Record<string, boolean> {
  return {
    onnx: isInstalled('onnxruntime-node'),
    wasm: isInstalled('onnxruntime-web'),
    transformers: isInstalled('@huggingface/transformers') || isInstalled('@xenova/transformers'),
  };
}

/** By the rules of `import`, which is how the package would be loaded. */
function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}
