import type { OrtModule } from 'paddleocr';

// One thread: reading processes run beside each other. The arena would keep the memory of the largest page.
const options = { intraOpNumThreads: 1, interOpNumThreads: 1, enableCpuMemArena: false };

/** onnxruntime as the recogniser takes it: native, or in WebAssembly where the native one does not load. */
export async function loadRuntime(): Promise<OrtModule> {
  // Before the first session, else it looks up a host of its maker and writes to the user's cache folder.
  process.env.ORT_DISABLE_TELEMETRY = '1';
  const native = await import('onnxruntime-node').catch(() => undefined);
  const { InferenceSession, Tensor } = native ?? (await loadWasm());
  const create = (model: ArrayBuffer) => InferenceSession.create(new Uint8Array(model), options);
  // The library names only the few members that it uses, in types of its own.
  return { Tensor, InferenceSession: { create } } as unknown as OrtModule;
}

async function loadWasm() {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  return ort;
}
