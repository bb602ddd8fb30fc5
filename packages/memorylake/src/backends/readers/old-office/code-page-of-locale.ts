/** Windows code pages by the language part of a locale; English says nothing, since it is set everywhere. */
const PAGES: ReadonlyMap<number, number> = new Map([
  ...[0x03, 0x06, 0x07, 0x0a, 0x0b, 0x0c, 0x0f, 0x10, 0x13, 0x14, 0x16, 0x1d].map((id) => [id, 1252] as const),
  ...[0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x1c, 0x24].map((id) => [id, 1250] as const),
  ...[0x02, 0x19, 0x22, 0x23].map((id) => [id, 1251] as const),
  ...[0x25, 0x26, 0x27].map((id) => [id, 1257] as const),
  [0x01, 1256],
  [0x08, 1253],
  [0x0d, 1255],
  [0x11, 932],
  [0x12, 949],
  [0x1e, 874],
  [0x1f, 1254],
  [0x29, 1256],
  [0x2a, 1258],
]);
const CHINESE = 0x04;
const TRADITIONAL = new Set([0x0404, 0x0c04, 0x1404]);

/** The code page that Windows uses for texts of a locale. */
export function codePageOfLocale(locale: number | undefined): number | undefined {
  if (locale === undefined) return undefined;
  const language = locale & 0x3ff;
  if (language === CHINESE) return TRADITIONAL.has(locale) ? 950 : 936;
  return PAGES.get(language);
}
