import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Identifies this process, so that others can tell whether it is still running. */
export const newOwner = (): string => `${hostname()}/${process.pid}/${randomUUID()}`;

/** Whether the owner is a process of this machine that has ended; false for other machines. */
export function isGone(owner: string): boolean {
  const [host, pid] = owner.split('/');
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
