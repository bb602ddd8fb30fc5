import type { Box } from '../../domain/document.ts';
import { type Picture, pictureOf, type Turn } from '../../domain/pictures/picture.ts';
import type { Ruling } from '../../domain/tables/find-tables.ts';
import type { PageCharacter } from '../../domain/text/page-lines.ts';
import { hasKnownSigns, inReadingOrder, knownSign, UNKNOWN } from './page-signs.ts';
import type { Pdfium } from './pdfium.ts';

/** Numbers are given in tenths of a point, since the engine rounds to whole ones. */
const FINER = 10;
const PATH = 2;
const IMAGE = 3;
const FORM = 5;
const WIDGET = 20;
const POPUP = 16;
const MAX_OBJECTS = 50_000;
const MAX_SEGMENTS = 2_000;
/** Characters that tell how the text of a page is turned. */
const MAX_ANGLES = 200;
const THIN = 2;
/** Enough for small print; more only takes longer. */
const DOTS_PER_INCH = 150;
const MAX_SIDE = 2_600;
/** Paint that cannot be told from paper. */
const WHITE = 254;
const WITH_ANNOTATIONS = 0x01;
const RED_FIRST = 0x10;

/** One page of a PDF: its characters, drawn lines, pictures, form values and annotations, in points from the top left. */
export class PdfPage {
  readonly #engine: Pdfium;
  readonly #page: number;
  readonly width: number;
  readonly height: number;
  readonly #transform: readonly [number, number, number, number, number, number];

  constructor(engine: Pdfium, document: number, index: number) {
    this.#engine = engine;
    this.#page = engine.api.FPDF_LoadPage(document, index);
    this.width = this.#page === 0 ? 0 : engine.api.FPDF_GetPageWidthF(this.#page);
    this.height = this.#page === 0 ? 0 : engine.api.FPDF_GetPageHeightF(this.#page);
    this.#transform = this.#page === 0 ? [1, 0, 0, 1, 0, 0] : this.#transformOf();
  }

  get isBroken(): boolean {
    return this.#page === 0;
  }

  close(): void {
    if (this.#page !== 0) this.#engine.api.FPDF_ClosePage(this.#page);
  }

  characters(): PageCharacter[] {
    const { api } = this.#engine;
    const text = api.FPDFText_LoadPage(this.#page);
    if (text === 0) return [];
    const characters: PageCharacter[] = [];
    try {
      const count = api.FPDFText_CountChars(text);
      for (let at = 0; at < count; at++) {
        const code = api.FPDFText_GetUnicode(text, at);
        if (code === 0xfffe || code === 2) {
          // The engine joins a word that was broken at a line end; the text stays as it was printed.
          characters.push({ text: '-', box: this.#characterBox(text, at) }, { text: '\n', box: undefined });
          continue;
        }
        const sign = code > 0x10ffff ? UNKNOWN : String.fromCodePoint(code);
        const box = /\s/.test(sign) ? undefined : this.#characterBox(text, at);
        // Pages that are cut out of one sheet hold the text of all of it.
        if (!box || this.#isShown(box)) characters.push(knownSign(sign, box));
      }
    } finally {
      api.FPDFText_ClosePage(text);
    }
    return hasKnownSigns(characters) ? inReadingOrder(characters) : [];
  }

  /** How the page has to be turned for most of its text to stand upright. */
  turn(): Turn {
    const { api } = this.#engine;
    const text = api.FPDFText_LoadPage(this.#page);
    if (text === 0) return 0;
    const counts = new Map<Turn, number>();
    const shown = api.FPDFPage_GetRotation(this.#page);
    try {
      const count = api.FPDFText_CountChars(text);
      const step = Math.ceil(count / MAX_ANGLES);
      for (let at = 0; at < count; at += step) {
        const quarters = Math.round(api.FPDFText_GetCharAngle(text, at) / (Math.PI / 2));
        if (quarters < 0) continue;
        const turn = (((8 - quarters - shown) % 4) * 90) as Turn;
        counts.set(turn, (counts.get(turn) ?? 0) + 1);
      }
    } finally {
      api.FPDFText_ClosePage(text);
    }
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return [...counts].find(([, count]) => count > all / 2)?.[0] ?? 0;
  }

  /** Drawn lines, the number of images, and the share of the page that the largest image or form covers. */
  objects(): { rulings: Ruling[]; images: number; count: number; covered: number } {
    const { api } = this.#engine;
    const rulings: Ruling[] = [];
    const areas: PaintedArea[] = [];
    let images = 0;
    let covered = 0;
    const count = Math.min(MAX_OBJECTS, api.FPDFPage_CountObjects(this.#page));
    for (let at = 0; at < count; at++) {
      const object = api.FPDFPage_GetObject(this.#page, at);
      const type = api.FPDFPageObj_GetType(object);
      if (type === IMAGE) images++;
      if (type === IMAGE || type === FORM) covered = Math.max(covered, this.#shareOf(object));
      else if (type === PATH) this.#addRulings(object, rulings, areas);
    }
    rulings.push(...areas.filter((area) => !isShading(area, areas)).flatMap(({ sides }) => sides));
    return { rulings, images, count, covered };
  }

  /** The page as it is shown, and how many of the picture's pixels are a point. */
  picture(): { picture: Picture; scale: number } {
    const { api } = this.#engine;
    const scale = Math.min(DOTS_PER_INCH / 72, MAX_SIDE / Math.max(this.width, this.height, 1));
    const [width, height] = [this.width, this.height].map((side) => Math.max(1, Math.round(side * scale)));
    const bitmap = api.FPDFBitmap_Create(width!, height!, 0);
    if (bitmap === 0) throw new RangeError('array too large for the PDF engine');
    try {
      api.FPDFBitmap_FillRect(bitmap, 0, 0, width!, height!, 0xffff_ffff);
      api.FPDF_RenderPageBitmap(bitmap, this.#page, 0, 0, width!, height!, 0, WITH_ANNOTATIONS | RED_FIRST);
      const [start, stride] = [api.FPDFBitmap_GetBuffer(bitmap), api.FPDFBitmap_GetStride(bitmap)];
      const rows = this.#engine.api.pdfium.HEAPU8.slice(start, start + stride * height!);
      // The fourth byte of a pixel means nothing on paper that is filled.
      for (let at = 3; at < rows.length; at += 4) rows[at] = 255;
      return { picture: pictureOf(width!, height!, rows), scale };
    } finally {
      api.FPDFBitmap_Destroy(bitmap);
    }
  }

  /** Values of form fields and texts of annotations. `form` is the engine's handle of the document's form. */
  annotations(form: number): { values: string[]; notes: string[] } {
    const { api } = this.#engine;
    const values: string[] = [];
    const notes: string[] = [];
    const count = Math.min(10_000, api.FPDFPage_GetAnnotCount(this.#page));
    for (let at = 0; at < count; at++) {
      const annotation = api.FPDFPage_GetAnnot(this.#page, at);
      if (annotation === 0) continue;
      const kind = api.FPDFAnnot_GetSubtype(annotation);
      if (kind === WIDGET && form !== 0) {
        const value = this.#engine.text((pointer, bytes) =>
          api.FPDFAnnot_GetFormFieldValue(form, annotation, pointer, bytes),
        );
        const name = this.#engine.text((pointer, bytes) =>
          api.FPDFAnnot_GetFormFieldName(form, annotation, pointer, bytes),
        );
        if (value.trim() !== '' && value !== 'Off') values.push(name === '' ? value : `${name}: ${value}`);
      } else if (kind !== POPUP && kind !== WIDGET) {
        const note = this.#engine.text((pointer, bytes) =>
          api.FPDFAnnot_GetStringValue(annotation, 'Contents', pointer, bytes),
        );
        if (note.trim() !== '') notes.push(note);
      }
      api.FPDFPage_CloseAnnot(annotation);
    }
    return { values: [...new Set(values)], notes };
  }

  #shareOf(object: number): number {
    const bounds = this.#engine.floats(4, (left, bottom, right, top) =>
      this.#engine.api.FPDFPageObj_GetBounds(object, left!, bottom!, right!, top!),
    );
    if (!bounds || this.width * this.height === 0) return 0;
    return ((bounds[2]! - bounds[0]!) * (bounds[3]! - bounds[1]!)) / (this.width * this.height);
  }

  #characterBox(text: number, at: number): Box | undefined {
    const found = this.#engine.doubles(4, (left, right, bottom, top) =>
      this.#engine.api.FPDFText_GetCharBox(text, at, left!, right!, bottom!, top!),
    );
    return found && this.#boxOf(found[0]!, found[2]!, found[1]!, found[3]!);
  }

  /** Lines of a path, thin rectangles that are drawn instead of lines, and the sides of areas that are painted. */
  #addRulings(path: number, rulings: Ruling[], areas: PaintedArea[]): void {
    const { api } = this.#engine;
    const bounds = this.#engine.floats(4, (left, bottom, right, top) =>
      api.FPDFPageObj_GetBounds(path, left!, bottom!, right!, top!),
    );
    if (!bounds) return;
    const whole = this.#boxOf(bounds[0]!, bounds[1]!, bounds[2]!, bounds[3]!);
    if (whole[2] - whole[0] <= THIN || whole[3] - whole[1] <= THIN) {
      rulings.push(whole);
      return;
    }
    const matrix = this.#engine.floats(6, (...pointers) => api.FPDFPageObj_GetMatrix(path, pointers[0]!));
    const [a, b, c, d, e, f] = matrix ?? [1, 0, 0, 1, 0, 0];
    const sides: Ruling[] = [];
    let start: readonly [number, number] | undefined;
    let last: readonly [number, number] | undefined;
    const draw = (to: readonly [number, number]) => {
      if (!last) return;
      const isStraight = Math.abs(last[0] - to[0]) <= 1 || Math.abs(last[1] - to[1]) <= 1;
      if (isStraight) sides.push(this.#boxOf(last[0], last[1], to[0], to[1]));
    };
    const count = Math.min(MAX_SEGMENTS, api.FPDFPath_CountSegments(path));
    for (let at = 0; at < count; at++) {
      const segment = api.FPDFPath_GetPathSegment(path, at);
      const point = this.#engine.floats(2, (x, y) => api.FPDFPathSegment_GetPoint(segment, x!, y!));
      if (!point) continue;
      const [x, y] = [a! * point[0]! + c! * point[1]! + e!, b! * point[0]! + d! * point[1]! + f!];
      const type = api.FPDFPathSegment_GetType(segment);
      if (type === 0) draw([x, y]);
      if (type === 2) start = [x, y];
      last = [x, y];
      if (api.FPDFPathSegment_GetClose(segment) && start) draw(start);
    }
    const mode = this.#engine.integers(2, (fill, stroke) => api.FPDFPath_GetDrawMode(path, fill!, stroke!));
    const isPainted = mode !== undefined && mode[0] !== 0 && mode[1] === 0;
    if (!isPainted) rulings.push(...sides);
    else if (!this.#isWhite(path)) areas.push({ box: whole, sides });
  }

  #isWhite(object: number): boolean {
    const color = this.#engine.integers(4, (red, green, blue, alpha) =>
      this.#engine.api.FPDFPageObj_GetFillColor(object, red!, green!, blue!, alpha!),
    );
    return color?.slice(0, 3).every((part) => part >= WHITE) ?? false;
  }

  /** Corners in the page's own units become a box from the top left of the page as it is shown. */
  #boxOf(x0: number, y0: number, x1: number, y1: number): Box {
    const [left, top] = this.#shown(x0, y0);
    const [right, bottom] = this.#shown(x1, y1);
    return [Math.min(left, right), Math.min(top, bottom), Math.max(left, right), Math.max(top, bottom)];
  }

  #isShown([x0, y0, x1, y1]: Box): boolean {
    return x1 >= 0 && y1 >= 0 && x0 <= this.width && y0 <= this.height;
  }

  #shown(x: number, y: number): readonly [number, number] {
    const [a, b, c, d, e, f] = this.#transform;
    return [round(a * x + c * y + e), round(b * x + d * y + f)];
  }

  /** From the page's own units to the page as it is shown: turned and cut. Three points tell it. */
  #transformOf(): readonly [number, number, number, number, number, number] {
    const [width, height] = [Math.round(this.width * FINER), Math.round(this.height * FINER)];
    const at = (x: number, y: number) => {
      const point = this.#engine.integers(2, (px, py) =>
        this.#engine.api.FPDF_PageToDevice(this.#page, 0, 0, width, height, 0, x, y, px!, py!),
      );
      return point ? ([point[0]! / FINER, point[1]! / FINER] as const) : ([x, this.height - y] as const);
    };
    const far = 10_000;
    const [zero, right, up] = [at(0, 0), at(far, 0), at(0, far)];
    return [
      (right[0] - zero[0]) / far,
      (right[1] - zero[1]) / far,
      (up[0] - zero[0]) / far,
      (up[1] - zero[1]) / far,
      zero[0],
      zero[1],
    ];
  }
}

const round = (value: number): number => Math.round(value * FINER) / FINER;

/** A painted area without a line around it; its sides part cells by their colours. */
interface PaintedArea {
  readonly box: Box;
  readonly sides: readonly Ruling[];
}

/** Paint behind words within a painted cell, which is not much wider. */
function isShading({ box }: PaintedArea, areas: readonly PaintedArea[]): boolean {
  const width = box[2] - box[0];
  return areas.some(
    ({ box: cell }) =>
      cell[0] < box[0] - 1 &&
      cell[2] > box[2] + 1 &&
      cell[1] <= box[1] + 1 &&
      cell[3] >= box[3] - 1 &&
      width > (cell[2] - cell[0]) * 0.5,
  );
}
