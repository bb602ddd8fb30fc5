/** What the work gives, or nothing when it takes too long or the caller has gone. The work itself goes on. */
export async function inTime<T>(work: Promise<T>, patienceMs: number, signal?: AbortSignal): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const enough = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    timer = setTimeout(stop, patienceMs).unref();
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, enough]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // Its failure is logged where it happens; here it is ignored.
    work.catch(() => {});
  }
}
