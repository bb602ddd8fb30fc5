import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { npyFile } from '@atoll-mcp/formats/npy';
import { describe, expect, test } from 'vitest';
import { openDirectory, temporaryFolder } from './directory.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  pixel(x: number, y: number): [number, number, number];
  /** How many different colours there are. */
  readonly colours: number;
}

/** Reads what the server drew the way a viewer does. */
function decode(base64: string): Picture {
  const png = Buffer.from(base64, 'base64');
  expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const rows = inflateSync(Buffer.concat(data));
  const rgb = new Uint8Array(width * height * 3);
  const stride = width * 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < stride; x++)
      rgb[y * stride + x] = rows[y * (stride + 1) + 1 + x]! + (y > 0 ? rgb[(y - 1) * stride + x]! : 0);
  }
  const pixel = (x: number, y: number): [number, number, number] => [
    rgb[(y * width + x) * 3]!,
    rgb[(y * width + x) * 3 + 1]!,
    rgb[(y * width + x) * 3 + 2]!,
  ];
  const seen = new Set<number>();
  for (let i = 0; i < rgb.length; i += 3) seen.add((rgb[i]! << 16) | (rgb[i + 1]! << 8) | rgb[i + 2]!);
  return { width, height, pixel, colours: seen.size };
}

async function plot(directory: Awaited<ReturnType<typeof openDirectory>>, args: Record<string, unknown>) {
  const { body, content, isError } = await directory.call('plot_tensor', args);
  const image = content.find(({ type }) => type === 'image');
  const picture = () => decode(String(image?.data));
  return { body, isError, image, picture };
}

describe('plots', () => {
  test('a matrix is a heatmap: red above zero, blue below, grey where there is no number', async () => {
    const directory = await openDirectory();
    await directory.upload('x', [
      [5, -5],
      [0, 'NaN'],
    ]);
    const { body, image, picture } = await plot(directory, { name_or_uuid: 'x' });
    expect(image).toMatchObject({ mimeType: 'image/png' });
    expect(body.message).toBe("Heatmap of tensor 'x' with shape (2, 2) and dtype float64.");
    // Away from the middle of each cell, where the figure is written.
    const [red, , blue] = picture().pixel(110, 110);
    expect(red).toBeGreaterThan(blue + 60);
    const [red2, , blue2] = picture().pixel(500, 110);
    expect(blue2).toBeGreaterThan(red2 + 60);
    const zero = picture().pixel(110, 500);
    expect(Math.min(...zero)).toBeGreaterThan(230);
  });

  test('a vector is a line, a cube a histogram, and the kind can be chosen', async () => {
    const directory = await openDirectory();
    await directory.upload(
      'vector',
      Array.from({ length: 500 }, (_, i) => Math.sin(i / 20)),
    );
    await directory.upload('cube', Array(4).fill(Array(5).fill([1.5, 2.5, 'NaN'])));
    expect((await plot(directory, { name_or_uuid: 'vector' })).body.message).toMatch(/^Line plot/);
    expect((await plot(directory, { name_or_uuid: 'vector', kind: 'histogram' })).body.message).toMatch(/^Histogram/);
    expect((await plot(directory, { name_or_uuid: 'vector', kind: 'heatmap' })).body.message).toMatch(/^Heatmap/);
    expect((await plot(directory, { name_or_uuid: 'cube' })).body.message).toMatch(/^Histogram/);
    const sliced = await plot(directory, { name_or_uuid: 'cube', slice: '0' });
    expect(sliced.body.message).toMatch(/^Heatmap of tensor 'cube\[0\]'/);
    const first = await plot(directory, { name_or_uuid: 'cube', kind: 'line' });
    expect(first.body.message).toContain('index 0 of the first axis');
    for (const { picture } of [sliced, first]) expect(picture().colours).toBeGreaterThan(20);
  });

  test('a large matrix is shown in steps, and the sentence says so', async () => {
    const directory = await openDirectory();
    await directory.upload(
      'large',
      Array.from({ length: 3 }, () => Array.from({ length: 5000 }, (_, i) => i)),
    );
    const { body } = await plot(directory, { name_or_uuid: 'large' });
    expect(body.message).toContain('every n-th value');
  });

  test('a histogram of a part counts so many values in all, not along each axis', async () => {
    const root = temporaryFolder();
    const directory = await openDirectory({ importRoot: [root] });
    const tensor = { dtype: 'uint8', shape: [5000, 5000], data: new Uint8Array(25_000_000) } as const;
    writeFileSync(join(root, 'large.npy'), Buffer.concat(npyFile(tensor)));
    await directory.call('import_tensors', { path: 'large.npy' });
    const part = await plot(directory, { name_or_uuid: 'large', kind: 'histogram', slice: '1:' });
    expect(part.body.message).toContain('every n-th value');
    const small = await plot(directory, { name_or_uuid: 'large', kind: 'histogram', slice: '::2' });
    expect(small.body.message).not.toContain('every n-th value');
  });

  test.each([
    [
      'all equal',
      [
        [3, 3],
        [3, 3],
      ],
    ],
    ['all NaN', [['NaN', 'NaN']]],
    ['one value', [[42]]],
    ['infinities', [['Infinity', '-Infinity', 1]]],
    ['the whole range of doubles', [[-1.7e308, 1.7e308]]],
    ['tiny differences', [[1, 1 + 2 ** -50]]],
    ['true and false', [[true, false]]],
  ])('%s can be drawn in every kind', async (_, values) => {
    const directory = await openDirectory();
    await directory.upload('x', values);
    for (const kind of ['auto', 'heatmap', 'line', 'histogram']) {
      const { picture, body } = await plot(directory, { name_or_uuid: 'x', kind });
      expect(body).toMatchObject({ success: true });
      expect(picture().width).toBeGreaterThan(500);
    }
  });

  test('what has no picture is refused', async () => {
    const directory = await openDirectory();
    await directory.upload('empty', [[]]);
    await directory.upload('x', [1, 2]);
    expect((await plot(directory, { name_or_uuid: 'empty' })).body).toMatchObject({
      success: false,
      message: expect.stringContaining('holds no values'),
    });
    expect((await plot(directory, { name_or_uuid: 'x', slice: '0', kind: 'line' })).body).toMatchObject({
      success: false,
    });
    expect((await plot(directory, { name_or_uuid: 'x', slice: '9' })).isError).toBe(true);
  });
});
