/** Another process has the work now, or it is not needed any more. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Does work whose lease is renewed meanwhile. Its signal ends it when the lease is lost or everything stops. */
export async function whileLeased<T>(
  lease: { readonly renew: () => Promise<boolean>; readonly everyMs: number },
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const end = new AbortController();
  const onStop = () => end.abort(stop.reason);
  const renew = async () => {
    // A store that fails for a moment takes no lease away; it is asked again soon.
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
