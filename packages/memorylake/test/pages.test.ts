import { inflateSync } from 'node:zlib';
import { silentLogger } from '@atoll-mcp/core';
import { connectInMemory } from '@atoll-mcp/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { createMemoryLakeServer } from '../src/server.ts';
import { pdf, pdfText } from './make-files.ts';
import { afterTests, cleanUp, configFor, hashEmbedder, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

interface Snippet {
  readonly place: { readonly page: number; readonly boxes: readonly [number, number, number, number][] };
}

test('a page of a PDF is drawn, and the boxes of a place lie on its ink', async () => {
  const app = createMemoryLakeServer(configFor(await newFolder()), { embedder: hashEmbedder(), log: silentLogger });
  const client = await connectInMemory(app);
  afterTests(() => client.close().then(() => app.close()));
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as { result: never };
  const pages = ['The ferry leaves at nine.', 'Tickets are sold on the pier.'].map((text) =>
    pdfText([[90, 600, text]]),
  );
  const base64 = pdf(pages).toString('base64');
  const { id } = (await call('add_memory', { name: 'harbour.pdf', base64 })).result as { id: string };
  const found = (await call('search_memory', { query: 'tickets pier' })).result as {
    results: { snippets: Snippet[] }[];
  };
  const { place } = found.results[0]!.snippets.find((snippet) => snippet.place.page === 2)!;
  const { contents } = await client.readResource({ uri: `memory://${id}/pages/${place.page}.png` });
  const [page] = contents as { blob: string; mimeType: string; _meta: Record<string, number> }[];
  expect(page).toMatchObject({ mimeType: 'image/png', _meta: { width_points: 595, height_points: 842, pages: 2 } });
  const picture = decode(Buffer.from(page!.blob, 'base64'));
  expect([picture.width, picture.height]).toEqual([1190, 1684]);
  const [left, top, right, bottom] = place.boxes[0]!;
  const scale = picture.width / 595;
  const ink = inkOf(picture);
  const inside = ink.filter(
    ([x, y]) =>
      x >= (left - 2) * scale && x <= (right + 2) * scale && y >= (top - 4) * scale && y <= (bottom + 4) * scale,
  );
  expect(ink.length).toBeGreaterThan(100);
  expect(inside.length).toBe(ink.length);
  for (const uri of [`memory://${id}/pages/3.png`, `memory://${id}/pages/0.png`, 'memory://ds-none/pages/1.png']) {
    await expect(client.readResource({ uri })).rejects.toThrow('Resource not found');
  }
});

/** Of the form that is written here: one part of data, three bytes a pixel, rows as they are. */
function decode(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const length = png.readUInt32BE(33);
  const rows = inflateSync(png.subarray(41, 41 + length));
  return { width, height, rows };
}

function inkOf({ width, height, rows }: ReturnType<typeof decode>): [number, number][] {
  const found: [number, number][] = [];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) if (rows[y * (1 + 3 * width) + 1 + 3 * x]! < 128) found.push([x, y]);
  }
  return found;
}
