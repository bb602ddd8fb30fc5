/** Waits for a promise, at most so many milliseconds; false if it was still pending then. */
export async function within(ms: number, done: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, ms));
  });
  const inTime = await Promise.race([done.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}
