// node test/conformance.mjs [repeats]: holds the aggregator, in front of the app with all of the official suite's
// fixtures, against that suite: over a stdio and an HTTP upstream, every scenario that both revisions require.
// Needs the built packages.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const repeats = Number(process.argv[2] ?? 1);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const suite = here('../../../packages/server/test/conformance.mjs');
const HTTP_FIXTURE = `
  import { createLogger, serveHttp } from '@atoll-mcp/server';
  import { everythingApp } from '@atoll-mcp/testing';
  await serveHttp(everythingApp(), { log: createLogger({ name: 'everything' }) });
`;

const folder = mkdtempSync(join(tmpdir(), 'atoll-conformance-'));
const children = [];
const total = { passed: 0, failed: 0 };
try {
  const stdio = { command: process.execPath, args: [here('fixtures/everything-stdio.mjs')], prefix: '' };
  const web = { url: await start(['--input-type=module', '--eval', HTTP_FIXTURE]), prefix: '' };
  for (const [kind, upstream] of Object.entries({ stdio, web })) {
    const config = join(folder, `${kind}.json`);
    writeFileSync(config, JSON.stringify({ mcpServers: { everything: upstream } }));
    const flags = ['--no-builtin', '--http', '--port', '0', '--data-dir', join(folder, kind), '--config', config];
    const url = await start([here('../dist/cli.js'), ...flags]);
    for (let round = 1; round <= repeats; round++) {
      console.log(`== ${kind} upstream, round ${round} of ${repeats}`);
      const { passed, failed } = await run(process.execPath, [suite, url]);
      total.passed += passed;
      total.failed += failed;
    }
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Starts a program and returns the address it says it listens on. */
async function start(args) {
  const child = spawn(process.execPath, args, { cwd: here('..'), stdio: ['ignore', 'ignore', 'pipe'] });
  children.push(child);
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /"url":"([^"]+)"/.exec(line)?.[1];
    if (url) {
      child.stderr.resume();
      return url;
    }
  }
  throw new Error(`${args.at(-1)} did not start`);
}

/** The suite's own count; a run that ends badly without one is a failure. */
async function run(command, args) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let count;
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(line);
    count = /^(\d+) passed, (\d+) failed$/.exec(line) ?? count;
  }
  const isWell = (await ended) === 0;
  const failed = Number(count?.[2] ?? 0);
  return { passed: Number(count?.[1] ?? 0), failed: isWell && count ? failed : Math.max(1, failed) };
}
