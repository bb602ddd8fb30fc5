/** The lease was lost to another process, or the work is no longer needed. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Renews a lease while the work runs; its signal aborts when the lease is lost or `stop` fires. */
export async function whileLeased<T>(
  lease: { readonly renew: () => Promise<boolean>; readonly everyMs: number },
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const onStop = () => end.abort(stop.reason);
  const renew = async () => {
    // A failing store does not end the lease; the next renewal follows soon.
    const isOurs = await lease.renew().catch(() => true);
    if (!isOurs) end.abort(new LeaseLost());
  };
  const renewal = setInterval(() => void renew(), lease.everyMs);
  stop.addEventListener('abort', onStop, { once: true });
  if (stop.aborted) onStop();
  try {
    return await work(end.signal);
  } finally {
    clearInterval(renewal);
    stop.removeEventListener('abort', onStop);
  }
}
