import { isMainThread } from 'node:worker_threads';

/**
 * Switches the telemetry of onnxruntime-node off; false when that cannot be done here. Unless this variable is in the
 * environment of the process before the first session, onnxruntime looks up a Microsoft host and writes to the user's
 * cache folder. A thread has only a copy of the environment, so it is set by the main thread, before threads start.
 */
export function disableOrtTelemetry(): boolean {
  if (isMainThread) process.env.ORT_DISABLE_TELEMETRY = '1';
  return process.env.ORT_DISABLE_TELEMETRY === '1';
}
