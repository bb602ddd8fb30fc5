import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/cli.js', import.meta.url));

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'tensor-bench-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The built program on stdio, spoken to in bare lines so that no client library is measured. */
export async function start(dataDir) {
  const child = spawn(process.execPath, [program, '--data-dir', dataDir], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map();
  let held = '';
  child.stdout.setEncoding('utf8').on('data', (part) => {
    held += part;
    for (let end = held.indexOf('\n'); end >= 0; end = held.indexOf('\n')) {
      const { id, result } = JSON.parse(held.slice(0, end));
      held = held.slice(end + 1);
      waiting.get(id)?.(result);
    }
  });
  let next = 1;
  const send = (line) => child.stdin.write(line);
  const answerTo = (id) => new Promise((resolve) => waiting.set(id, resolve));
  const request = (method, params) => {
    const id = next++;
    const answer = answerTo(id);
    send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  };
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '0' },
  });
  send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  return {
    /** Sends the bytes of a whole request, whose id is `id`. */
    sendBytes(id, bytes) {
      const answer = answerTo(id);
      send(bytes);
      return answer;
    },
    call: async (name, args) => (await request('tools/call', { name, arguments: args })).structuredContent,
    /** Most memory the program has held so far, in bytes; undefined where the system does not say. */
    peakBytes() {
      try {
        const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
        return kilobytes && Number(kilobytes) * 1024;
      } catch {
        return undefined;
      }
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.stdin.end();
      }),
  };
}

export function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

export function report(figures) {
  console.log(JSON.stringify(figures));
}
