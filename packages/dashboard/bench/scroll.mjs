// 100,000 tensors and 10,000 memories, scrolled fast on a slow processor: how long frames take, how many nodes there
// are, and how many of the rows in sight were still empty. An empty page that only counts its frames is the floor.
import { join } from 'node:path';
import { silentLogger } from '@atoll-mcp/core';
import { loadConfig } from '@atoll-mcp/server';
import { openStorage } from '@atoll-mcp/storage';
import { chooseBackends, configDefinition } from '../../tensor-directory/dist/index.js';
import { launch, median, quantile, report, SLOWDOWN, slowPage, startAtoll, temporaryFolder } from './_browser.mjs';

const TENSORS = 100_000;
const MEMORIES = 10_000;
const SECONDS = 4;
const TARGET_RATIO = 2;
const dataDir = temporaryFolder();
await fillTensors(join(dataDir, 'tensor-directory'));
await fillLake(join(dataDir, 'memorylake'));

const atoll = await startAtoll(dataDir);
const browser = await launch();
await measure('tensors', TENSORS, 'Tensors');
await measure('lake', MEMORIES, 'Documents');
await browser.close();
await atoll.stop();

async function measure(route, rows, label) {
  const { page, close } = await slowPage(browser);
  const floor = await frames(page);
  await page.goto(`${atoll.address}#/${route}`);
  const list = page.getByRole('list', { name: label });
  await list.locator('a').first().waitFor({ timeout: 60_000 });
  const ours = await frames(page, label);
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const started = Date.now();
  await page.waitForFunction((name) => !document.querySelector(`[aria-label="${name}"] .waiting`), label);
  const p95 = quantile(ours.deltas, 0.95);
  // Frames come in whole steps of the screen, so hundredths say nothing.
  const ratio = Math.round((p95 / quantile(floor.deltas, 0.95)) * 10) / 10;
  report({
    bench: `dashboard/scroll-${route}`,
    rows,
    slowdown: SLOWDOWN,
    frame_p50_ms: round(median(ours.deltas)),
    frame_p95_ms: round(p95),
    frame_longest_ms: round(Math.max(...ours.deltas)),
    empty_page_p95_ms: round(quantile(floor.deltas, 0.95)),
    ratio,
    most_nodes: ours.nodes,
    waiting_rows_share: round(ours.waiting),
    last_row_ms: Date.now() - started,
    target_ratio: TARGET_RATIO,
    holds: ratio <= TARGET_RATIO,
  });
  await close();
}

/** Frame times while a list (or nothing) is scrolled from its start to its end and back. */
function frames(page, label) {
  return page.evaluate(
    ({ name, seconds }) =>
      new Promise((resolve) => {
        const list = name && document.querySelector(`[aria-label="${name}"]`);
        const deltas = [];
        let last = performance.now();
        let nodes = 0;
        let [empty, drawn] = [0, 0];
        const start = last;
        const step = (now) => {
          deltas.push(now - last);
          last = now;
          const part = (now - start) / (seconds * 1000);
          if (list) {
            // Fast, but as a hand would: a few hundred rows a second, forth and back.
            list.scrollTop = (part < 0.5 ? part : 1 - part) * 2 * Math.min(list.scrollHeight, 60_000);
            // Counting costs time too, so it is done now and then only.
            if (deltas.length % 20 === 0) {
              nodes = Math.max(nodes, document.querySelectorAll('*').length);
              empty += list.querySelectorAll('.waiting').length;
              drawn += list.querySelectorAll('[role=listitem]').length;
            }
          }
          if (part < 1) requestAnimationFrame(step);
          else resolve({ deltas: deltas.slice(2), nodes, waiting: drawn === 0 ? 0 : empty / drawn });
        };
        requestAnimationFrame(step);
      }),
    { name: label, seconds: SECONDS },
  );
}

async function fillTensors(folder) {
  const settings = { ...loadConfig(configDefinition).config, dataDir: folder };
  const backends = chooseBackends(settings, silentLogger);
  const values = await backends.values.put({ dtype: 'float64', shape: [1], pieces: () => [new Uint8Array(8)] });
  for (let from = 0; from < TENSORS; from += 5_000) {
    const items = Array.from({ length: 5_000 }, (_, i) => ({
      item: {
        uuid: crypto.randomUUID(),
        name: `tensor_${String(from + i).padStart(6, '0')}`,
        description: `The tensor number ${from + i} of a large collection`,
        createdAt: '2026-01-01T00:00:00.000000',
        values,
        tags: [],
      },
    }));
    await backends.tensors.add(items);
  }
  await backends.close();
}

/** The lake's own list of files, without the files. */
async function fillLake(folder) {
  const storage = openStorage({ dataDir: folder, namespace: 'memorylake' });
  const memories = storage.records.collection({
    name: 'memories',
    version: 1,
    fields: {
      name: 'text',
      type: 'text',
      status: 'text',
      sha256: 'text',
      blobKey: 'text',
      model: 'text',
      createdMs: 'integer',
      leaseUntilMs: 'integer',
    },
    ignoreCase: ['name'],
    indexes: [['sha256'], ['status', 'type'], ['status', 'model'], ['blobKey'], ['createdMs'], ['leaseUntilMs']],
  });
  const records = Array.from({ length: MEMORIES }, (_, i) => ({
    id: `m${String(i).padStart(6, '0')}`,
    name: `report ${i}.md`,
    type: 'txt_file',
    format: 'markdown',
    status: 'ready',
    reason: null,
    sha256: String(i).padStart(64, '0'),
    sizeBytes: 1_000 + i,
    blobKey: `sha256/${String(i).padStart(64, '0')}`,
    summary: `The report number ${i}`,
    chunks: 1 + (i % 9),
    tables: 0,
    figures: 0,
    pages: 0,
    sheets: [],
    model: null,
    createdMs: 1_700_000_000_000 + i,
    updatedMs: 1_700_000_000_000 + i,
    pending: null,
    leaseUntilMs: null,
  }));
  await memories.putMany(records);
  await storage.close();
}

function round(value) {
  return Math.round(value * 100) / 100;
}
