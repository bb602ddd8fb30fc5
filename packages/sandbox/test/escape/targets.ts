import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmod, chown, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { isRoot, makeOpenFolder, NOBODY, startAsOther } from './other-user.ts';

/** What the attacks aim at: made for the test, open to everybody, so that only the sandbox can stand in the way. */
export interface Targets {
  readonly outside: string;
  readonly words: Readonly<Record<string, string | number>>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function makeTargets(): Promise<Targets> {
  // A process of the same user as the attacker.
  const victim = await startAsOther('sleep', ['600']);
  const outside = makeOpenFolder('atoll-outside-', 0o777);
  const restore = async () => {
    for (const name of ['secret', 'open', 'owned', 'doomed-1', 'doomed-2', 'doomed-3']) {
      const file = join(outside, `${name}.txt`);
      await writeFile(file, 'SECRET');
      await chmod(file, 0o666);
      if (isRoot) await chown(file, NOBODY, NOBODY);
    }
  };
  await restore();
  const greet = () => createServer((socket) => socket.on('error', () => {}).end('hi'));
  const [tcp, unix, abstract] = [greet(), greet(), greet()];
  const abstractName = `atoll-${process.pid}-${Date.now()}`;
  await once(tcp.listen(0, '127.0.0.1'), 'listening');
  await once(unix.listen(join(outside, 'host.sock')), 'listening');
  await chmod(join(outside, 'host.sock'), 0o777);
  await once(abstract.listen(`\0${abstractName}`), 'listening');
  const udp = createSocket('udp4', (_, { port }) => udp.send('hi', port, '127.0.0.1')).bind(0, '127.0.0.1');
  await once(udp, 'listening');
  return {
    outside,
    words: {
      OUTSIDE: outside,
      PORT: (tcp.address() as AddressInfo).port,
      UDP_PORT: udp.address().port,
      UNIX: join(outside, 'host.sock'),
      // Node's abstract names fill the whole field.
      ABSTRACT: `\0${abstractName}`.padEnd(108, '\0'),
      VICTIM: victim.pid!,
    },
    restore,
    async close() {
      victim.kill('SIGKILL');
      udp.close();
      await Promise.all([tcp, unix, abstract].map((server: Server) => new Promise((resolve) => server.close(resolve))));
      await rm(outside, { recursive: true, force: true });
    },
  };
}
