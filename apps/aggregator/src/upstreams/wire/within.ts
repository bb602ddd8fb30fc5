/** Waits for something, but no longer than so many milliseconds. */
export async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms));
  });
  await Promise.race([done, late]);
  clearTimeout(timer);
}
