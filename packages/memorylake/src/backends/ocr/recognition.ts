import { UnreadableFile } from '../../domain/document.ts';
import { type Picture, type Turn, turnBox } from '../../domain/pictures/picture.ts';
import { inReadingOrder, type RecognisedLine } from '../../domain/pictures/reading-order.ts';
import { paragraphsOf } from '../../domain/text/page-lines.ts';
import type { OcrSettings, TextRecogniser } from './interface.ts';
import { hasOcrModels, isMissingPackage, LACKS_PACKAGE } from './model-files.ts';
import { openPaddle } from './recogniser-paddle.ts';

let opened: Promise<TextRecogniser> | undefined;

/** Recognises text on the pages of one file, if set up and within limits. */
export class Recognition {
  readonly #settings: OcrSettings;
  readonly #onPage: (page: number, pages: number) => void;

  constructor(settings: OcrSettings, onPage: (page: number, pages: number) => void = () => {}) {
    this.#settings = settings;
    this.#onPage = onPage;
  }

  /** How many pages of a file are recognised. */
  get maxPages(): number {
    return this.#settings.maxPages;
  }

  /** Why text cannot be recognised here; undefined if it can. */
  get problem(): string | undefined {
    if (this.#settings.maxPages === 0) return 'Text recognition is off (--ocr-pages 0)';
    if (hasOcrModels(this.#settings.folder)) return undefined;
    return `To have its text recognised, run once: ${this.#settings.setUp}. Then add it again`;
  }

  /** The paragraphs of a page in reading order, in pixels of the picture. `done` of `pages` were recognised before. */
  async paragraphsOf(picture: Picture, done: number, pages: number): Promise<RecognisedLine[][]> {
    this.#onPage(done, pages);
    opened ??= openPaddle(this.#settings.folder);
    const recogniser = await opened.catch((error) => {
      opened = undefined;
      throw new UnreadableFile(problemOf(error, this.#settings.setUp));
    });
    const { turn, texts } = await recogniser.recognise(picture);
    this.#onPage(done + 1, pages);
    const { width, height } = picture;
    const upright = turn === 90 || turn === 270 ? { width: height, height: width } : { width, height };
    const back = ((360 - turn) % 360) as Turn;
    return paragraphsOf(inReadingOrder(texts)).map((paragraph) =>
      paragraph.map((line) => ({ ...line, box: turnBox(line.box, upright, back) })),
    );
  }
}

function problemOf(error: unknown, setUp: string): string {
  return isMissingPackage(error)
    ? LACKS_PACKAGE
    : `Text recognition does not start. Fetch its models again with: ${setUp}`;
}
