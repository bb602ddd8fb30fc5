import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box as PaddleBox } from 'paddleocr';
import type { Box } from '../../domain/document.ts';
import { type Picture, type RecognisedText, type Turn, turnBox, turnPicture } from '../../domain/pictures/picture.ts';
import { meanConfidence } from '../../domain/pictures/reading-order.ts';
import type { TextRecogniser } from './interface.ts';
import { DETECTION_FILE, RECOGNITION_FILE } from './model-files.ts';
import { loadRuntime } from './onnx-runtime.ts';

/** Longest side in which lines are looked for; smaller pictures are looked at as they are. */
const MIN_SIDE = 960;
const MAX_SIDE = 1_600;
const SIDE_SHARE = 0.55;
/** Lines that tell whether a page stands upright, and the confidence that upright text has. */
const SAMPLE = 5;
const UPRIGHT = 0.88;
const MAX_BOXES = 5_000;

/** PP-OCR on onnxruntime: Chinese, English and other Latin text with one pair of models. */
export async function openPaddle(folder: string): Promise<TextRecogniser> {
  const [{ PaddleOcrService, Image }, ort, detection, recognition] = await Promise.all([
    import('paddleocr'),
    loadRuntime(),
    readFile(join(folder, DETECTION_FILE)),
    readFile(join(folder, RECOGNITION_FILE)),
  ]);
  const service = await PaddleOcrService.createInstance({
    ort,
    modelPreset: 'PP-OCRv6_small',
    detection: { modelBuffer: arrayOf(detection), limitType: 'max' },
    recognition: { modelBuffer: arrayOf(recognition), charactersDictionary: charactersIn(recognition) },
  });
  const imageOf = ({ width, height, pixels }: Picture) => new Image(width, height, 3, pixels);
  const find = async (picture: Picture): Promise<PaddleBox[]> => {
    const side = Math.round(Math.max(picture.width, picture.height) * SIDE_SHARE);
    const maxSideLength = Math.min(MAX_SIDE, Math.max(MIN_SIDE, side));
    return (await service.detectionService!.run(imageOf(picture), { maxSideLength })).slice(0, MAX_BOXES);
  };
  const read = async (picture: Picture, areas: readonly PaddleBox[]): Promise<RecognisedText[]> => {
    const image = imageOf(picture);
    const texts: RecognisedText[] = [];
    for (const area of areas) {
      // One at a time: together, each would be made as wide as the widest.
      const [found] = await service.recognitionService!.run(image, [area]);
      if (found) texts.push({ text: found.text, box: boxOf(area), confidence: found.confidence });
    }
    return texts;
  };
  return {
    async recognise(picture) {
      const areas = await find(picture);
      const turn = await findTurn(picture, areas, read);
      if (turn === 0) return { turn, texts: await read(picture, areas) };
      const upright = turnPicture(picture, turn);
      // Single characters are found only where they stand upright.
      return { turn, texts: await read(upright, await find(upright)) };
    },
  };
}

/** How a page has to be turned, told by how well its longest lines can be read. */
async function findTurn(
  picture: Picture,
  areas: readonly PaddleBox[],
  read: (picture: Picture, areas: readonly PaddleBox[]) => Promise<readonly RecognisedText[]>,
): Promise<Turn> {
  const length = ({ width, height }: PaddleBox) => Math.max(width, height);
  const sample = [...areas].sort((a, b) => length(b) - length(a)).slice(0, SAMPLE);
  const tall = sample.filter(({ width, height }) => height > width * 1.5).length;
  const turns: readonly Turn[] = tall > sample.length / 2 ? [270, 90, 0] : [0, 180];
  let best: { turn: Turn; confidence: number } = { turn: 0, confidence: -1 };
  for (const turn of turns) {
    const turned = sample.map((area) => (turn === 0 ? area : areaOf(turnBox(boxOf(area), picture, turn))));
    const confidence = meanConfidence(await read(turnPicture(picture, turn), turned));
    if (confidence > best.confidence) best = { turn, confidence };
    if (confidence >= UPRIGHT) break;
  }
  return best.turn;
}

const boxOf = ({ x, y, width, height }: PaddleBox): Box => [x, y, x + width, y + height];

const areaOf = ([x0, y0, x1, y1]: Box): PaddleBox => ({ x: x0, y: y0, width: x1 - x0, height: y1 - y0 });

const arrayOf = (bytes: Buffer): ArrayBuffer =>
  bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;

/** The characters of a model stand in its ONNX metadata under `character`, a line each; the blank comes after them. */
function charactersIn(model: Buffer): string[] {
  const key = Buffer.from('\u000a\u0009character\u0012', 'latin1');
  let at = model.indexOf(key) + key.length;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = model[at++]!;
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return [...model.toString('utf8', at, at + length).split('\n'), ' '];
}
