import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** Names this process, so that another can tell whether it still lives. */
export const newOwner = (): string => `${hostname()}/${process.pid}/${randomUUID()}`;

/** Whether the owner was a process of this machine that has ended. Of other machines nothing is known. */
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
