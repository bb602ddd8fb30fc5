import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const KEPT = fileURLToPath(new URL('../fixtures/layout.json', import.meta.url));
const boxesScript = readFileSync(new URL('../fixtures/layout-boxes.js', import.meta.url), 'utf8');
/** In percent of the window's width: what other fonts move things by. */
const TOLERANCE = 4;

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

/** The parts of a page at one width of the window, as they are kept. */
export async function layoutOf(page: Page, width: number): Promise<readonly string[]> {
  await page.setViewportSize({ width, height: 800 });
  return (await page.evaluate<Box[]>(boxesScript)).map(textOf);
}

/** Compares with what is kept; with UPDATE_LAYOUT=1 the present one is kept. */
export function expectLayouts(layouts: Layouts): void {
  if (process.env.UPDATE_LAYOUT) writeFileSync(KEPT, `${JSON.stringify(layouts, undefined, 2)}\n`);
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as Layouts;
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
