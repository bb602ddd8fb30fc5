import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface LoginCallback {
  /** Where the browser is sent after the login. */
  readonly url: string;
  readonly code: Promise<{ readonly code: string; readonly iss?: string }>;
  close(): void;
}

/** Listens on this machine for the redirect with the authorization code. */
export async function listenForCode(state: string, waitMs: number): Promise<LoginCallback> {
  const { promise, resolve, reject } = withResolvers<{ code: string; iss?: string }>();
  // The command may fail before it waits for the code.
  promise.catch(() => {});
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const say = (status: number, text: string) => response.writeHead(status, PLAIN).end(text);
    if (pathname !== '/callback') return say(404, 'Not found');
    // Any program on this machine can call this; only the redirected browser knows the state.
    if (searchParams.get('state') !== state) return say(400, 'Unknown state: this is not the login that was started.');
    const code = searchParams.get('code');
    if (code === null) {
      reject(
        new Error(
          `the authorization server refused: ${searchParams.get('error')?.replace(/[^\w-]/g, '_') ?? 'no reason'}`,
        ),
      );
      return say(400, 'The login was refused. You can close this window.');
    }
    const iss = searchParams.get('iss');
    resolve({ code, ...(iss !== null && { iss }) });
    return say(200, 'Logged in. You can close this window.');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const timer = setTimeout(() => reject(new Error(`no login within ${waitMs / 1000} s`)), waitMs);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
    code: promise,
    close() {
      clearTimeout(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}

const PLAIN = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
