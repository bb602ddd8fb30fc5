/** Verbs of all languages by the beginning of the English word that a name or a description would have. */
const STEMS: readonly (readonly [verb: RegExp, stems: readonly string[]])[] = [
  [/^(doubl|verdopp|duplic|duplíc|加倍|翻倍|翻一倍|乘)/u, ['doubl', 'twice']],
  [/^(add|sum|zusammen|aufsumm|aggiung|ajout|somm|加|相加|求和)/u, ['add', 'sum']],
  [/^(averag|mittel|promedi|moyenn|平均|求平均)/u, ['averag', 'mean']],
  [/^(smooth|glätt|suaviz|liss|平滑)/u, ['smooth', 'moving']],
  [/^(bright|hell|aufhell|aufgehell|aclar|éclair|提亮|增亮|变亮|调亮)/u, ['bright']],
  [/^(enhanc|verbess|mejor|amélior|增强)/u, ['enhanc', 'improv']],
  [/^(negat|negier|niega|negar|nier|取负|取反|变号)/u, ['negat', 'sign']],
  [/^(scal|skal|escal|缩放)/u, ['scal', 'multipl']],
  [/^(normal|standard|归一|标准)/u, ['normal', 'standard']],
];
const ENDINGS = /(?:ized|ised|ize|ise|ing|en|ed|er|es|s|e)$/;
const MIN_STEM = 3;

/** Whether a verb says what a model does, judged by the words of its name and description. */
export function isWorkOf(verb: string, description: string): boolean {
  const said = verb.toLowerCase();
  const words = description.toLowerCase().split(/[^\p{L}]+/u);
  const known = STEMS.find(([beginning]) => beginning.test(said))?.[1];
  const stem = said.replace(ENDINGS, '');
  const stems = known ?? (stem.length >= MIN_STEM ? [stem] : []);
  return words.some((word) => stems.some((each) => word.startsWith(each)));
}
