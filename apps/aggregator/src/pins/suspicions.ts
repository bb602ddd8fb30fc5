import { isObject, type Json } from '@atoll-mcp/core';

/** Something in a definition that looks like an attack on the model or on the person who reads the definition. */
export interface Suspicion {
  readonly tool: string;
  readonly kind: 'invisible-characters' | 'look-alike-name' | 'instructions' | 'shadowing';
  readonly message: string;
}

/** Control, zero-width, direction, filler and tag characters: a person does not see them, a model reads them. */
const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

/** Joiners and selectors of a presentation are part of emoji and of several scripts; beside Latin letters they are not. */
const JOINER = /[\u200c\u200d]/;
const MAY_JOIN = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Lo}\p{M}]$/u;
const SELECTOR = /[\ufe0e\ufe0f]/;
const MAY_SELECT = /[\p{Emoji}\p{Lo}]$/u;

/** Sentences that no description needs. Each names what it is, for the report. White space is one space when they are tried. */
const INSTRUCTIONS: readonly (readonly [RegExp, string])[] = [
  [
    /\b(ignore|disregard|forget|override)\b.{0,30}\b(previous|prior|above|earlier|other|system|all)\b.{0,30}\b(instructions?|prompts?|rules|messages)\b/is,
    'asks to ignore instructions',
  ],
  [
    /\b(do not|don't|never|without)\b.{0,20}\b(tell|telling|inform|informing|mention|mentioning|notify|notifying|reveal|revealing|show|showing|alert|alerting|ask|asking)\b.{0,40}\bthe user\b/is,
    'asks to hide something from the user',
  ],
  [
    /< ?\/? ?(important|system|secret|instructions?|admin|assistant|critical)\b[^<>]{0,1000}>|\[(system|INST)\]|<\|im_start\|>/i,
    'imitates a message of the system',
  ],
  [
    /(~|\$HOME|%USERPROFILE%|\/root|\/home\/\w+)[\\/]\.(ssh|aws|gnupg|netrc|kube|config)|\bid_(rsa|ed25519)\b|\.cursor[\\/]mcp\.json|claude_desktop_config/i,
    'names a file with credentials',
  ],
  [
    /\b(your|the) (hidden |full )?system prompt\b|\b(entire|full|whole) (conversation|chat) (history|so far)\b/i,
    'asks for the conversation or the system prompt',
  ],
];

const MAX_TEXTS = 5_000;

/** What in one definition looks like an attack. */
export function suspicionsOf(definition: Json): Suspicion[] {
  const tool = String(definition.name);
  const texts = textsOf(definition);
  const found: Suspicion[] = [];
  const hidden = texts.map(invisibleIn).find((code) => code !== undefined);
  if (hidden !== undefined) {
    found.push({ tool, kind: 'invisible-characters', message: `contains invisible characters (${hidden})` });
  }
  if (mixesScripts(tool)) {
    found.push({
      tool,
      kind: 'look-alike-name',
      message: 'its name mixes Latin letters with letters that look like them',
    });
  }
  const spaced = texts.map((text) => text.replace(/\s+/g, ' '));
  for (const [pattern, message] of INSTRUCTIONS) {
    if (spaced.some((text) => pattern.test(text))) found.push({ tool, kind: 'instructions', message });
  }
  return found;
}

/** The first invisible character of a text, as `U+200B`. */
function invisibleIn(text: string): string | undefined {
  for (const { 0: sign, index } of text.matchAll(INVISIBLE)) if (!belongs(sign, text, index)) return codeOf(sign);
  return undefined;
}

/** For terminals and pages: invisible characters become visible, and cannot steer a terminal. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, (sign, index: number) =>
    belongs(sign, text, index) ? sign : `\\u{${codeOf(sign).slice(2).toLowerCase()}}`,
  );
}

function belongs(sign: string, text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index);
  return (JOINER.test(sign) && MAY_JOIN.test(before)) || (SELECTOR.test(sign) && MAY_SELECT.test(before));
}

function codeOf(sign: string): string {
  return `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function mixesScripts(name: string): boolean {
  return /\p{Script=Latin}/u.test(name) && /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(name);
}

/** Every text of a definition, names of arguments included. */
function textsOf(value: unknown, texts: string[] = []): string[] {
  if (texts.length >= MAX_TEXTS) return texts;
  if (typeof value === 'string') texts.push(value);
  else if (Array.isArray(value)) for (const item of value) textsOf(item, texts);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      texts.push(key);
      textsOf(item, texts);
    }
  }
  return texts;
}
