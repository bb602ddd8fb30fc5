import { setMaxListeners } from 'node:events';

/**
 * Runs work with a time limit and a caller's signal; whichever fires first ends it.
 *
 * A signal made by `AbortSignal.any` of a time-out may be collected as garbage before it fires, and whoever waits for it
 * then waits for ever. This one lives as long as the work.
 */
export async function withDeadline<T>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const giveUp = () => controller.abort(signal?.reason);
  const timeOut = () => controller.abort(new DOMException('The time for this is over.', 'TimeoutError'));
  const timer = setTimeout(timeOut, timeoutMs);
  // One signal may be used by many calls at once; each removes its own listener.
  if (signal) setMaxListeners(0, signal);
  signal?.addEventListener('abort', giveUp, { once: true });
  if (signal?.aborted) giveUp();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
