/** The result of the work; undefined after the timeout or an abort. The work itself continues. */
export async function withTimeout<T>(
  work: Promise<T>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  const timeout = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    timer = setTimeout(stop, timeoutMs).unref();
    signal?.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // Ignore later failures: they are logged where they happen.
    work.catch(() => {});
  }
}
