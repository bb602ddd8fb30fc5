import type { ComponentChildren } from 'preact';
import { inBrowser } from './kept/kept.ts';

const KEY = 'atoll.language';

/** The key is the English text; a language that is not English has a file of its own. */
type Texts = Readonly<Record<string, string>>;

export const LANGUAGES = { en: 'English', de: 'Deutsch', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

/** Longer than a slow connection needs; the page is empty until then. */
const PATIENCE_MS = 4_000;

const wanted: Language = chosenLanguage() ?? languageOf(globalThis.navigator?.languages ?? []) ?? 'en';

// Awaited here, so that every text of the page, constants included, is in the language from the start.
const loaded = await load(wanted);
const texts: Texts = loaded ?? {};

/** The language that the page is in: English where the file of another one could not be loaded. */
export const language: Language = loaded ? wanted : 'en';
if (globalThis.document) document.documentElement.lang = language;

/** The choice that was made on this page; undefined where the browser's languages decide. */
export function chosenLanguage(): Language | undefined {
  return languageOf([inBrowser.get(KEY) ?? '']);
}

/** The page is loaded again, in that language. */
export function chooseLanguage(chosen: Language | undefined): void {
  if (chosen) inBrowser.set(KEY, chosen);
  else inBrowser.remove(KEY);
  location.reload();
}

/** A text in the language of the page. `{name}` in it stands for a value. */
export function t(text: string, values: Readonly<Record<string, unknown>> = {}): string {
  return fill(texts[text] ?? text, values);
}

/** A count with its noun: "1 server", "3 servers". */
export function plural(count: number, one: string, many = `${one}s`): string {
  const [single, several = single] = (texts[`# ${one}`] ?? `# ${one}|# ${many}`).split('|');
  return (count === 1 ? single! : several!).replace('#', count.toLocaleString(language));
}

type Part = ComponentChildren | ((text: string) => ComponentChildren);

/** A text with elements in it: `{name}` stands for a part, `<name>text</name>` for what the part makes of that text. */
export function tx(text: string, parts: Readonly<Record<string, Part>>): ComponentChildren[] {
  const translated = texts[text] ?? text;
  const shown: ComponentChildren[] = [];
  let end = 0;
  for (const match of translated.matchAll(/\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g)) {
    const [all, name, tag, inner] = match;
    const part = parts[name ?? tag ?? ''];
    shown.push(translated.slice(end, match.index), typeof part === 'function' ? part(inner ?? '') : part);
    end = match.index + all.length;
  }
  return [...shown, translated.slice(end)];
}

function fill(text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => (name in values ? String(values[name]) : all));
}

function languageOf(tags: readonly string[]): Language | undefined {
  const found = tags.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in LANGUAGES);
  return found as Language | undefined;
}

async function load(name: Language): Promise<Texts | undefined> {
  if (name === 'en') return {};
  const file = name === 'de' ? import('../texts/de.json') : import('../texts/zh.json');
  const content = file.then(
    (module): Texts => module.default,
    () => undefined,
  );
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  return Promise.race([content, timeout]);
}
