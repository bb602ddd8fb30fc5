// Plain JSON-RPC over a program's stdio: opens, lists the tools, closes, and waits for the end.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'smoke', version: '0' } },
};
export const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
export const listTools = { jsonrpc: '2.0', id: 2, method: 'tools/list', params: {} };

export async function overStdio(command, args) {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  // A program that ends early is noticed by its silence, not by a broken pipe.
  child.stdin.on('error', () => {});
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${JSON.stringify(initialize)}\n`);
    await soon(lines.next());
    child.stdin.write(`${JSON.stringify(initialized)}\n${JSON.stringify(listTools)}\n`);
    for (;;) {
      const { value, done } = await soon(lines.next());
      if (done) throw new Error('it ended before it answered');
      const message = JSON.parse(value);
      if (message.id === 2) return message.result.tools;
    }
  } finally {
    child.stdin.end();
    await soon(ended);
  }
}

export function soon(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within a minute')), 60_000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Counts what went well and what did not; `end` prints both as the last line. */
export function tally() {
  let passed = 0;
  let failed = 0;
  return {
    async check(title, run) {
      try {
        await run();
        passed += 1;
        console.log(`✓ ${title}`);
      } catch (error) {
        failed += 1;
        console.log(`✗ ${title}: ${error.message}`);
      }
    },
    end() {
      console.log(`${passed} passed, ${failed} failed`);
      process.exitCode = failed > 0 ? 1 : 0;
    },
  };
}
