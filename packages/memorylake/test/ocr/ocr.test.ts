import { silentLogger } from '@atoll-mcp/core';
import { connectInMemory } from '@atoll-mcp/testing';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { createMemoryLakeServer } from '../../src/server.ts';
import { pdfText } from '../make-files.ts';
import { afterTests, cleanUp, configFor, newFolder } from '../open-test-lake.ts';
import { pictureOfPage, scannedPdf, tiffOf } from './make-pictures.ts';
import { hasOcr, installOcr } from './ocr-models.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });
afterAll(cleanUp);

// biome-ignore lint/suspicious/noExplicitAny: bodies of many tools, checked by what the tests expect of them
type Body = any;

async function connect(options: { ocr: boolean; flags?: string[] }) {
  const folder = await newFolder();
  if (options.ocr) installOcr(folder);
  const config = configFor(folder, '--no-embed', ...(options.flags ?? []));
  const app = createMemoryLakeServer(config, { log: silentLogger });
  const client = await connectInMemory(app);
  afterTests(() => client.close().then(() => app.close()));
  const call = async (name: string, args: object, onprogress?: (told: Body) => void): Promise<Body> => {
    const answer = await client.callTool(
      { name, arguments: { ...args } },
      {
        timeout: 240_000,
        ...(onprogress && { onprogress }),
      },
    );
    const [first] = answer.content as { text: string }[];
    return answer.isError ? first?.text : ((answer.structuredContent as Body).result ?? answer.structuredContent);
  };
  /** Adds a file and waits for its end, also beyond the time that a call may take. */
  const add = async (name: string, content: Buffer, onprogress?: (told: Body) => void): Promise<Body> => {
    const added = await call('add_memory', { name, base64: content.toString('base64') }, onprogress);
    return vi.waitUntil(
      async () => {
        const [memory] = (await call('list_memories', { name_contains: name })).memories;
        return memory?.status === 'processing' ? undefined : { ...added, ...memory };
      },
      { timeout: 200_000, interval: 200 },
    );
  };
  return { call, add, folder };
}

const invoice = [
  [60, 780, 'Invoice 2024-117 for the harbour office'],
  [60, 740, 'Anchor chain'],
  [300, 740, '289.00'],
  [60, 720, 'Shackle, galvanised'],
  [300, 720, '30.00'],
  [60, 680, 'Please pay within 30 days.'],
] as const;

const columns = ['The pilot', 'The keeper'].flatMap((who, column) =>
  [
    'comes on board at dawn,',
    'reads the tide table and',
    'notes the depth of water',
    'at the second bridge and',
    'returns before noon.',
  ].map((text, line) => [60 + column * 250, 740 - line * 16, line === 0 ? `${who} ${text}` : text] as const),
);

describe('text in pictures', requires(hasOcr(), 'ocr'), () => {
  test('an image is found by its text, with the box in pixels and the confidence', async () => {
    const { call, add } = await connect({ ocr: true });
    const png = await (await pictureOfPage(invoice)).png();
    expect(await add('invoice.png', png)).toMatchObject({ status: 'ready', type: 'txt_file' });
    const { results } = await call('search_memory', { query: 'anchor chain' });
    const { text, place } = results[0].snippets[0];
    expect(text.split('\n')).toEqual([
      'Invoice 2024-117 for the harbour office',
      'Anchor chain 289.00',
      'Shackle, galvanised 30.00',
      'Please pay within 30 days.',
    ]);
    expect(place).toMatchObject({ page: 1 });
    expect(place.confidence).toBeGreaterThan(0.9);
    const [left, top, right, bottom] = place.boxes[1];
    // 60 points from the left and 102 from the top, at 150 dots per inch.
    expect([left, (top + bottom) / 2, right].map((side) => Math.round(side / 25))).toEqual([5, 8, 28]);
  });

  test('two columns of a page that lies on its side are read one after the other', async () => {
    const { call, add } = await connect({ ocr: true });
    const upright = columns.map(([, , text]) => text);
    for (const turn of [90, 180] as const) {
      const { id } = await add(`turned-${turn}.png`, await (await pictureOfPage(columns, turn)).png());
      const { text } = await call('read_memory', { memory_id: id });
      expect(text.split('\n').filter((line: string) => line !== '')).toEqual(upright);
    }
    const { results } = await call('search_memory', { query: 'pilot', name_contains: 'turned-90' });
    const [, top] = results.find(({ name }: Body) => name === 'turned-90.png').snippets[0].place.boxes[0];
    // The first line stands at the right edge of the turned picture and begins at its top.
    expect(top).toBeLessThan(250);
  });

  test('pages of a PDF that are scans are recognised, with progress and boxes in points', async () => {
    const { call, add } = await connect({ ocr: true });
    const jpeg = await (await pictureOfPage(invoice)).jpeg(80);
    const told: Body[] = [];
    const file = scannedPdf([jpeg], [pdfText([[60, 700, 'Terms: the goods stay ours until they are paid for.']])]);
    expect(await add('scan.pdf', file, (progress) => told.push(progress))).toMatchObject({ status: 'ready' });
    expect(told).toContainEqual(expect.objectContaining({ progress: 1, total: 1, message: 'recognising pages' }));
    const { results } = await call('search_memory', { query: 'shackle' });
    const { place } = results[0].snippets[0];
    expect(place.page).toBe(1);
    expect(Math.abs(place.boxes[0][0] - 60)).toBeLessThan(4);
    const terms = (await call('search_memory', { query: 'goods paid' })).results[0].snippets[0].place;
    expect(terms).toMatchObject({ page: 2 });
    expect(terms).not.toHaveProperty('confidence');
  });

  test('every page of a TIFF is read, and text that can hardly be made out is marked', async () => {
    const { call, add } = await connect({ ocr: true });
    const clear = await pictureOfPage([[60, 780, 'First page of the facsimile']]);
    const blurred = (await pictureOfPage(invoice)).blur(3.6);
    const pages = [];
    for (const picture of [clear, blurred]) {
      const grey = await new (await import('@napi-rs/image')).Transformer(await picture.png()).grayscale().rawPixels();
      const [width, height] = [1240, 1754];
      const channels = grey.length / (width * height);
      pages.push({ width, height, grey: Buffer.from(grey.filter((_, at) => at % channels === 0)) });
    }
    const { id } = await add('fax.tiff', tiffOf(pages));
    expect((await call('read_memory', { memory_id: id, page: 1 })).text).toBe('First page of the facsimile');
    expect((await call('read_memory', { memory_id: id, page: 2 })).text).toMatch(
      /^\[Recognised with \d+ % confidence; check it against the original\]\n/,
    );
  });
});

describe('without the models', () => {
  test('an image is refused with the command that fetches them', async () => {
    const { add, folder } = await connect({ ocr: false });
    const png = await (await pictureOfPage(invoice)).png();
    const { status, reason } = await add('invoice.png', png);
    expect(status).toBe('failed');
    expect(reason).toBe(
      `It is an image. To have its text recognised, run once: npx @atoll-mcp/memorylake setup-ocr --data-dir ${folder}. Then add it again`,
    );
  });

  test('a PDF with a scanned page says which page was not read', async () => {
    const { call, add } = await connect({ ocr: false });
    const jpeg = await (await pictureOfPage(invoice)).jpeg(80);
    const { id, status } = await add('mixed.pdf', scannedPdf([jpeg], [pdfText([[60, 700, 'Terms of payment']])]));
    expect(status).toBe('ready');
    expect((await call('fetch_memory', { memory_ids: [id] }))[id].summary).toContain(
      'Page 1 is a picture and was not read.',
    );
  });

  test('recognition that was turned off says so', async () => {
    const { add } = await connect({ ocr: false, flags: ['--ocr-pages', '0'] });
    const jpeg = await (await pictureOfPage(invoice)).jpeg(80);
    expect((await add('scan.pdf', scannedPdf([jpeg]))).reason).toBe(
      'It has no text: its page is a picture (a scan). Text recognition is off (--ocr-pages 0)',
    );
  });
});

describe('bad images', requires(hasOcr(), 'ocr'), () => {
  test('an image of 30,000 × 30,000 pixels is refused by its header, broken ones by name', async () => {
    const { add } = await connect({ ocr: true });
    const png = await (await pictureOfPage(invoice)).png();
    const huge = Buffer.from(png);
    huge.writeUInt32BE(30_000, 16);
    huge.writeUInt32BE(30_000, 20);
    expect((await add('huge.png', huge)).reason).toContain('It has 30,000 × 30,000 pixels');
    expect((await add('cut.png', png.subarray(0, png.length / 2))).reason).toContain('the image cannot be decoded');
    expect((await add('head.png', png.subarray(0, 12))).reason).toContain('the image has no size');
    expect((await add('blank.png', await (await pictureOfPage([])).png())).reason).toContain('an image without text');
  });
});
