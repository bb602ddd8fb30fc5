import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestPostgres } from './server.ts';

export interface DatabaseProxy {
  readonly url: string;
  leadTo(server: TestPostgres): void;
  /** Breaks the connection at each of the next COMMITs: before the server gets it, or before its answer is passed on. */
  cutAtCommit(moment: 'before' | 'after', times: number): void;
  close(): void;
}

/** One address for whichever server is the first, as a proxy or a name in front of a cluster gives it. */
export async function makeProxy(first: TestPostgres): Promise<DatabaseProxy> {
  let port = Number(new URL(first.url).port);
  const cuts: ('before' | 'after')[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    let isCutting = false;
    near.on('data', (bytes) => {
      const moment = bytes.includes('COMMIT') ? cuts.shift() : undefined;
      if (moment === 'before') near.destroy();
      isCutting ||= moment === 'after';
      far.write(moment === 'before' ? '' : bytes);
    });
    far.on('data', (bytes) => {
      if (isCutting) near.destroy();
      else near.write(bytes);
    });
    for (const [socket, other] of pairs(near, far)) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `postgres://atoll@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    leadTo(next) {
      port = Number(new URL(next.url).port);
    },
    cutAtCommit(moment, times) {
      for (let n = 0; n < times; n++) cuts.push(moment);
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

const pairs = (one: Socket, other: Socket): [Socket, Socket][] => [
  [one, other],
  [other, one],
];
