// A map of 5,000 embeddings, zoomed and moved without a pause on a processor that is not slowed down: frames a second.
// The vectors are made up here, in twenty groups, because embedding the texts is not what is measured.
import { launch, median, quantile, report, startAtoll, temporaryFolder } from './_browser.mjs';

const POINTS = 5_000;
const DIMENSIONS = 384;
const GROUPS = 20;
const SECONDS = 4;
const TARGET_FPS = 50;

const atoll = await startAtoll(temporaryFolder());
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
let made = 0;
await page.route('**/mcp', async (route) => {
  const { id, params } = route.request().postDataJSON();
  if (params.name !== 'embedding_batch') return route.continue();
  const embeddings = params.arguments.texts.map(() => vectorOf(made++));
  await route.fulfill({ json: { jsonrpc: '2.0', id, result: { content: [], structuredContent: { embeddings } } } });
});
await page.goto(`${atoll.address}#/embeddings`);
const lines = Array.from({ length: POINTS }, (_, at) => `text ${at} of group ${at % GROUPS}`).join('\n');
// Chromium takes half a minute to type so many lines, into any text field.
await page.getByLabel('One text per line').evaluate((field, text) => {
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}, lines);
const started = Date.now();
await page.getByRole('button', { name: 'Draw a map of these texts' }).click();
const map = page.getByRole('application');
await map.waitFor({ timeout: 120_000 });
const drawnMs = Date.now() - started;
const deltas = await map.evaluate(frames, SECONDS);
const fps = Math.round(1000 / (deltas.reduce((sum, delta) => sum + delta, 0) / deltas.length));
report({
  bench: 'dashboard/map',
  points: POINTS,
  drawn_after_ms: drawnMs,
  frames_per_second: fps,
  frame_p50_ms: Math.round(median(deltas) * 10) / 10,
  frame_p95_ms: Math.round(quantile(deltas, 0.95) * 10) / 10,
  target_fps: TARGET_FPS,
  holds: fps >= TARGET_FPS,
});
await browser.close();
await atoll.stop();

/** Runs in the page: zooms in and out at a moving place, and points at dots meanwhile. */
function frames(canvas, seconds) {
  return new Promise((resolve) => {
    const deltas = [];
    const start = performance.now();
    let last = start;
    const step = (now) => {
      deltas.push(now - last);
      last = now;
      const part = (now - start) / (seconds * 1000);
      const box = canvas.getBoundingClientRect();
      const [x, y] = [box.width * (0.5 + 0.4 * Math.sin(part * 20)), box.height * (0.5 + 0.4 * Math.cos(part * 13))];
      const at = { clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true };
      canvas.dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: part < 0.5 ? -8 : 8 }));
      canvas.dispatchEvent(new PointerEvent('pointermove', { ...at, pointerId: 1 }));
      if (part < 1) requestAnimationFrame(step);
      else resolve(deltas.slice(2));
    };
    requestAnimationFrame(step);
  });
}

function vectorOf(at) {
  const group = at % GROUPS;
  const vector = Array.from(
    { length: DIMENSIONS },
    (_, axis) => Math.sin(axis * (group + 1)) + Math.sin(at * (axis + 7)) / 2,
  );
  const length = Math.hypot(...vector);
  return vector.map((value) => Math.round((value / length) * 1e5) / 1e5);
}
