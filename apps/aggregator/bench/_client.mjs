// Raw clients for benchmarks: they cost as little as possible, so that what is measured is the other side.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const HELLO = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

/** Starts a program; `url` resolves when it says where it listens. */
export function start(args, { env, url: given } = {}) {
  const stdio = ['pipe', 'pipe', 'pipe'];
  const child = spawn(process.execPath, args, { stdio, env: { ...process.env, ...env }, detached: true });
  const url = new Promise((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const found = /"url":"([^"]+)"/.exec(line)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${args[0]} ended with ${code}`)));
    if (given) resolve(given);
  });
  url.catch(() => {});
  const stop = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  };
  return { child, url, stop };
}

export function overStdio({ child }) {
  const waiting = new Map();
  let lastId = 0;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  });
  const send = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++lastId, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params })}\n`);
    });
  return greeted(send);
}

/** For programs that are spoken to over HTTP: one that logs to a pipe blocks when the pipe is full, so it is read. */
export function ignoreOutput({ child }) {
  child.stdout.resume();
}

export async function overHttp(url) {
  const agent = new Agent({ keepAlive: true });
  let session;
  let lastId = 0;
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params });
      const headers = {
        ...HEADERS,
        ...(session && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' }),
      };
      const sent = request(url, { method: 'POST', agent, headers }, (response) => {
        session = response.headers['mcp-session-id'] ?? session;
        let text = '';
        response.setEncoding('utf8').on('data', (data) => {
          text += data;
        });
        response.on('end', () => {
          const json = text.startsWith('{')
            ? text
            : text
                .split('\n')
                .findLast((line) => line.startsWith('data: {'))
                ?.slice(6);
          if (json) resolve(JSON.parse(json));
          else reject(new Error(`HTTP ${response.statusCode}`));
        });
      });
      sent.on('error', reject).end(body);
    });
  send.hangUp = () => agent.destroy();
  return greeted(send);
}

/** The transport of 2024-11-05, which one peer still has: requests by POST, answers on a stream of their own. */
export async function overSse(url) {
  const waiting = new Map();
  const agent = new Agent({ keepAlive: true });
  let lastId = 0;
  const endpoint = await new Promise((resolve, reject) => {
    get(url, { headers: { accept: 'text/event-stream' } }, (response) => {
      // A peer listens before it is ready, and says so.
      if (response.statusCode !== 200) reject(new Error(`HTTP ${response.resume().statusCode}`));
      let event = '';
      createInterface({ input: response }).on('line', (line) => {
        if (line.startsWith('event:')) event = line.slice(6).trim();
        if (!line.startsWith('data:')) return;
        const data = line.slice(5).trim();
        if (event === 'endpoint') return resolve(new URL(data, url));
        const message = JSON.parse(data);
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
      });
    }).on('error', reject);
  });
  const send = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++lastId, resolve);
      const body = JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params });
      request(endpoint, { method: 'POST', agent, headers: HEADERS }, (response) => response.resume())
        .on('error', reject)
        .end(body);
    });
  return greeted(send);
}

async function greeted(send) {
  await send('initialize', HELLO);
  return send;
}

/**
 * CPU time in ms of a process and of those it started that do not run the script `except`, to the nanosecond: the clock
 * ticks of /proc/<pid>/stat are as long as hundreds of calls.
 */
export function cpuMs(pid, except) {
  return family(pid, except).reduce((sum, member) => sum + threadsOf(member), 0);
}

function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [ranNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
      return sum + Number(ranNs) / 1e6;
    }, 0);
  } catch {
    return 0;
  }
}

/** Flags of a program whose memory is to be read after a collection; it also wants `HEAP_FILE` in its environment. */
export const WATCHED = ['--expose-gc', '--import', fileURLToPath(new URL('_heap.mjs', import.meta.url))];

/** What a watched program holds once its garbage was collected, in bytes: `used` of its heap, and `rss`. */
export async function heldBy(pid, heapFile) {
  rmSync(heapFile, { force: true });
  process.kill(pid, 'SIGUSR2');
  while (!existsSync(heapFile) || readFileSync(heapFile, 'utf8') === '') await pause(50);
  return JSON.parse(readFileSync(heapFile, 'utf8'));
}

export function rssMb(pid) {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * 4096) / 2 ** 20;
}

function family(pid, except) {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(pid));
  return [pid, ...children.flatMap((child) => family(Number(child), except))].filter(
    (member) => !commandOf(member).split('\0')[1]?.endsWith(except),
  );
}

function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  } catch {
    return undefined;
  }
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
