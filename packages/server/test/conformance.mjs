// node test/conformance.mjs [url]: holds an MCP endpoint against the protocol's official suite, every scenario that
// 2025-11-25 and 2026-07-28 require. Without an address it starts two of its own: the app with all the suite's fixtures,
// and the README's example server for the scenarios that need none. Needs the built package.
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { cachedNode, cachedPackages } from '../../../tooling/cache.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const FIXTURE_FREE = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection', 'server-session-lifecycle'],
  '2026-07-28': ['tools-list', 'dns-rebinding-protection', 'http-header-validation'],
};
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const EVERYTHING = `
  import { createLogger, serveHttp } from '@atoll-mcp/server';
  import { everythingApp } from '@atoll-mcp/testing';
  await serveHttp(everythingApp(), { log: createLogger({ name: 'everything' }) });
`;

const here = fileURLToPath(new URL('..', import.meta.url));
/** The suite's app is in the package for tests, which server itself does not depend on. */
const testing = fileURLToPath(new URL('../../testing', import.meta.url));
const total = { passed: 0, failed: 0 };
const [node, suite] = installed();
if (process.argv[2]) {
  allRequired(process.argv[2]);
} else {
  await withServer(EVERYTHING, { cwd: testing }, allRequired);
  const example = readFileSync(join(here, 'examples/notes.ts'), 'utf8');
  const { code } = transformSync(example, { loader: 'ts' });
  await withServer(code, { cwd: here, args: ['--http', '--port', '0'] }, (url) => {
    for (const revision of REVISIONS) {
      for (const name of FIXTURE_FREE[revision]) run(url, ['--scenario', name, '--spec-version', revision]);
    }
  });
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

function allRequired(url) {
  for (const revision of REVISIONS) run(url, ['--requirements', revision]);
}

/** Adds up the checks of the scenarios that count; those of extensions and drafts are only shown by the suite. */
function run(url, args) {
  console.log(`── ${url} ${args.join(' ')}`);
  const { stdout, stderr, status } = spawnSync(node, [suite, 'server', '--url', url, ...args], { encoding: 'utf8' });
  const [counted, unscored = ''] = `${stdout}${stderr}`.split(/^Not scored for/m);
  const ignored = new Set([...unscored.matchAll(/^ {2}[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  let failures = 0;
  for (const [line, name, passed, failed] of counted.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed.*$/gm)) {
    if (ignored.has(name)) continue;
    total.passed += Number(passed);
    failures += Number(failed);
    if (Number(failed) > 0) console.log(line);
  }
  const single = counted.match(/^Passed: (\d+)\/(\d+), (\d+) failed/m);
  if (single) {
    total.passed += Number(single[1]);
    failures += Number(single[3]);
  }
  // A suite that fell over has shown nothing.
  if (status !== 0 && failures === 0) failures = 1;
  if (failures > 0) console.log(counted);
  total.failed += failures;
}

async function withServer(code, { cwd, args = [] }, use) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code, '--', 'server', ...args], {
    cwd,
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  try {
    for await (const line of createInterface({ input: child.stderr })) {
      const url = /"url":"([^"]+)"/.exec(line)?.[1];
      if (!url) {
        console.log(line);
        continue;
      }
      use(url);
      return;
    }
    console.log('the server ended before it listened');
    total.failed += 1;
  } finally {
    child.kill('SIGKILL');
  }
}

/** The suite and a Node that can run it, fetched once: neither is needed by anything else here. */
function installed() {
  const folder = cachedPackages('conformance', [SUITE]);
  const isNewEnough = Number(process.versions.node.split('.')[0]) >= 22;
  return [
    isNewEnough ? process.execPath : cachedNode(24),
    join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js'),
  ];
}
