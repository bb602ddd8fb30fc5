import type { Pdfium } from './pdfium.ts';

const WIDGET = 20;
const SIGNATURE = 7;
const MAX_ANNOTATIONS = 10_000;
const MAX_CHARACTERS = 10_000;

type Rectangle = readonly [left: number, top: number, right: number, bottom: number];

/**
 * What a page shows in its fields for signatures: who signed, and when. Such a text is a drawing of its field, which the engine
 * reads only once it is part of the page. The page in the engine's memory is changed for that, so it must not be open elsewhere.
 */
export function signaturesOn(engine: Pdfium, document: number, index: number, form: number): string[] {
  const { api } = engine;
  const page = api.FPDF_LoadPage(document, index);
  if (page === 0) return [];
  const fields = fieldsOn(engine, page, form);
  const before = fields.length > 0 ? textsIn(engine, page, fields) : [];
  if (fields.length > 0) api.FPDFPage_Flatten(page, 0);
  api.FPDF_ClosePage(page);
  if (fields.length === 0) return [];
  const shown = api.FPDF_LoadPage(document, index);
  if (shown === 0) return [];
  const after = textsIn(engine, shown, fields);
  api.FPDF_ClosePage(shown);
  return after.flatMap((text, at) => {
    // What stands on the page below the field is read with the page.
    const own = linesOf(before[at]!);
    const lines = linesOf(text).filter((line) => !own.includes(line));
    return lines.length > 0 ? [lines.join('\n')] : [];
  });
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function fieldsOn(engine: Pdfium, page: number, form: number): Rectangle[] {
  const { api } = engine;
  const fields: Rectangle[] = [];
  const count = Math.min(MAX_ANNOTATIONS, api.FPDFPage_GetAnnotCount(page));
  for (let at = 0; at < count; at++) {
    const annotation = api.FPDFPage_GetAnnot(page, at);
    if (annotation === 0) continue;
    if (
      api.FPDFAnnot_GetSubtype(annotation) === WIDGET &&
      api.FPDFAnnot_GetFormFieldType(form, annotation) === SIGNATURE
    ) {
      const edges = engine.floats(4, (pointer) => api.FPDFAnnot_GetRect(annotation, pointer!));
      if (edges) fields.push([edges[0]!, edges[1]!, edges[2]!, edges[3]!]);
    }
    api.FPDFPage_CloseAnnot(annotation);
  }
  return fields;
}

function textsIn(engine: Pdfium, page: number, fields: readonly Rectangle[]): string[] {
  const { api } = engine;
  const text = api.FPDFText_LoadPage(page);
  if (text === 0) return fields.map(() => '');
  try {
    return fields.map(([left, top, right, bottom]) => {
      const characters = Math.min(MAX_CHARACTERS, api.FPDFText_GetBoundedText(text, left, top, right, bottom, 0, 0));
      if (characters <= 0) return '';
      const pointer = api.pdfium.wasmExports.malloc((characters + 1) * 2);
      try {
        const written = api.FPDFText_GetBoundedText(text, left, top, right, bottom, pointer, characters);
        api.pdfium.HEAPU8.fill(0, pointer + written * 2, pointer + written * 2 + 2);
        return api.pdfium.UTF16ToString(pointer);
      } finally {
        engine.free(pointer);
      }
    });
  } finally {
    api.FPDFText_ClosePage(text);
  }
}
