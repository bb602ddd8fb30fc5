import { nameAt } from './prompt-names.ts';
import type { Token } from './prompt-tokens.ts';
import { words } from './prompt-words.ts';

const OUTPUT_VERBS = words('call name save store label write keep title put');
/** These are followed by the name at once: "to produce X". */
const PRODUCING = words('-> => → produce producing yield yielding giving generate generating making');
const OUTPUTS = words('output result outcome prediction it that this');
const OUTPUT_FILL = words(
  'the its new final tensor as to in into under named called name be is should : = a saved stored and goes written with',
);

/** Takes the part that names the output out of the request. */
export function withoutOutput(tokens: readonly Token[], start: number): { tokens: Token[]; outputName?: string } {
  for (let from = tokens.length - 1; from > start; from--) {
    const { key, kind } = tokens[from]!;
    if (kind === 'quoted' || kind === 'shape') continue;
    const verb = OUTPUT_VERBS.has(key);
    const producing = PRODUCING.has(key);
    if (!verb && !producing && key !== 'output' && key !== 'result') continue;
    let at = from + 1;
    let meant = !verb;
    while (
      at < tokens.length &&
      tokens[at]!.kind !== 'quoted' &&
      (OUTPUTS.has(tokens[at]!.key) || OUTPUT_FILL.has(tokens[at]!.key))
    ) {
      if (OUTPUTS.has(tokens[at]!.key) || tokens[at]!.key === 'as') meant = true;
      at++;
    }
    const stated = at > from + 1 || producing || tokens[at]?.kind === 'quoted';
    const found = meant && stated ? nameAt(tokens, at, true) : undefined;
    if (!found) continue;
    let cut = from;
    while (
      cut > 0 &&
      ['and', 'then', ',', '.', ';', 'the', 'with', 'to', 'please', 'an', 'finally'].includes(tokens[cut - 1]!.key)
    )
      cut--;
    // "save the output as X" holds two words of this kind: the verb before belongs to it.
    if (!verb && cut > 0 && OUTPUT_VERBS.has(tokens[cut - 1]!.key) && tokens[cut - 1]!.kind === 'word') continue;
    return { tokens: [...tokens.slice(0, cut), ...tokens.slice(found.next)], outputName: found.name };
  }
  return { tokens: [...tokens] };
}
