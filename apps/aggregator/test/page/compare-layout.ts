import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';

const KEPT = fileURLToPath(new URL('../fixtures/layout.json', import.meta.url));
const boxesScript = readFileSync(new URL('../fixtures/layout-boxes.js', import.meta.url), 'utf8');
/** In percent of the window's width: what other fonts move things by. */
const TOLERANCE = 4;
const WAIT = { timeout: 20_000, interval: 100 };

interface Box {
  readonly part: string;
  readonly left: number;
  readonly width?: number;
}
/** By route and width of the window. */
type Layouts = Record<string, Record<string, readonly string[]>>;

const textOf = ({ part, left, width }: Box) => [part, left, ...(width === undefined ? [] : [width])].join(' | ');
const numbersOf = (text: string) => text.split(' | ').slice(1).map(Number);
const partOf = (text: string) => text.split(' | ')[0]!;

const readKept = () => JSON.parse(readFileSync(KEPT, 'utf8')) as Layouts;

/** The parts of a page at one width of the window, as they are kept; what comes late is waited for. */
export async function layoutOf(page: Page, route: string, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 800 });
  const read = async () => (await page.evaluate<Box[]>(boxesScript)).map(textOf);
  const wanted = JSON.stringify(readKept()[route]?.[width]?.map(partOf));
  const isThere = async () => JSON.stringify((await read()).map(partOf)) === wanted;
  if (!process.env.UPDATE_LAYOUT) await vi.waitUntil(isThere, WAIT).catch(() => {});
  return read();
}

/** Compares with what is kept; with UPDATE_LAYOUT=1 the present one is kept. */
export function expectLayouts(layouts: Layouts): void {
  if (process.env.UPDATE_LAYOUT) writeFileSync(KEPT, `${JSON.stringify(layouts, undefined, 2)}\n`);
  const kept = readKept();
  const faults: string[] = [];
  for (const [route, widths] of Object.entries(layouts)) {
    for (const [width, boxes] of Object.entries(widths)) {
      const before = kept[route]?.[width] ?? [];
      expect(boxes.map(partOf), `${route} at ${width} pixels`).toEqual(before.map(partOf));
      for (const [at, box] of boxes.entries()) {
        const old = numbersOf(before[at]!);
        if (numbersOf(box).some((number, place) => Math.abs(number - old[place]!) > TOLERANCE))
          faults.push(`${route} at ${width} pixels: ${box}, before: ${before[at]}`);
      }
    }
  }
  expect(faults).toEqual([]);
  expect(Object.keys(layouts)).toEqual(Object.keys(kept));
}
