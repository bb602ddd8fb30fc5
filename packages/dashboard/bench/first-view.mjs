// From the address to the first meaningful view: each server's card on the overview, painted, with an empty cache and a
// slow processor. A page of plain text from the same server in the same browser is the floor.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { launch, median, report, SLOWDOWN, slowPage, startAtoll, temporaryFolder } from './_browser.mjs';

const ROUNDS = 9;
const TARGET_MS = 1000;
const TARGET_KB = 60;
const atoll = await startAtoll(temporaryFolder());
const browser = await launch();
const first = [];
const floor = [];
// The files of the page that the first view asked for.
const files = new Set();
await view('', '.upstream', (path) => files.add(path === '/' ? 'index.html' : path.slice(1)));
for (let round = 0; round < ROUNDS; round++) {
  floor.push(await view('healthz', 'pre, body'));
  first.push(await view('', '.upstream'));
}
const firstMs = Math.round(median(first));
report({
  bench: 'dashboard/first-view',
  slowdown: SLOWDOWN,
  first_view_ms: firstMs,
  longest_ms: Math.round(Math.max(...first)),
  plain_text_ms: Math.round(median(floor)),
  target_ms: TARGET_MS,
  holds: firstMs < TARGET_MS,
});
const sizeKb = Math.round(compressedBytes(files) / 100) / 10;
report({ bench: 'dashboard/size', first_view_kb: sizeKb, target_kb: TARGET_KB, holds: sizeKb <= TARGET_KB });
await browser.close();
await atoll.stop();

/** Milliseconds from the start of the navigation until something is there and has been painted. */
async function view(path, selector, onFile = () => {}) {
  const { page, close } = await slowPage(browser);
  page.on('request', (request) => request.method() === 'GET' && onFile(new URL(request.url()).pathname));
  await page.addInitScript((wanted) => {
    const look = () => {
      if (!document.querySelector(wanted)) return requestAnimationFrame(look);
      // The frame after the one in which it is there: by then it is on the screen.
      requestAnimationFrame(() => requestAnimationFrame(() => (window.seenAt = performance.now())));
    };
    look();
  }, selector);
  await page.goto(atoll.address + path);
  const seen = await page.waitForFunction(() => window.seenAt, undefined, { timeout: 60_000 });
  const ms = await seen.jsonValue();
  await close();
  return ms;
}

function compressedBytes(names) {
  const folder = fileURLToPath(new URL('../dist/page', import.meta.url));
  return [...names].reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(folder, name))).length, 0);
}
