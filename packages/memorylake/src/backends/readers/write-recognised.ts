import type { Box, ReadSink } from '../../domain/document.ts';
import { scaleBox } from '../../domain/pictures/picture.ts';
import { lowestOf, type RecognisedLine } from '../../domain/pictures/reading-order.ts';

/** Gives recognised paragraphs to a sink. Returns the number of the last one. */
export function writeRecognised(
  paragraphs: readonly (readonly RecognisedLine[])[],
  { page, lastNumber, scale }: { page: number; lastNumber: number; scale: number },
  sink: ReadSink,
): number {
  let number = lastNumber;
  for (const paragraph of paragraphs) {
    sink.text({
      text: paragraph.map(({ text }) => text).join('\n'),
      boxes: paragraph.map(({ box }) => roundBox(scaleBox(box, scale))),
      confidence: lowestOf(paragraph),
      line: ++number,
      page,
    });
  }
  return number;
}

const roundBox = ([x0, y0, x1, y1]: Box): Box => [tenth(x0), tenth(y0), tenth(x1), tenth(y1)];
const tenth = (value: number): number => Math.round(value * 10) / 10;
