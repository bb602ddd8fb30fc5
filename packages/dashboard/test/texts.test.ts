import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../web/src/', import.meta.url));
const LABELS = /^(label|title|placeholder|aria-label|alt|what|error|next|done|none)$/;
/** Names, addresses and code, which are the same in every language. */
const SAME =
  /^(Atoll|Node|Python|JavaScript|SQL|Ctrl K|files|name|https?:.*|npx .*|\/mcp\/\w*|memorylake .*|as in NumPy: .*|"\w+"(: .*)?)$/;

const used = new Set<string>();
const untranslated: string[] = [];

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!/\.tsx?$/.test(file) || file === 'lib/texts.ts') continue;
  const text = readFileSync(folder + file, 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node, isCode: boolean): void => {
    if (ts.isCallExpression(node)) noteUse(node, file);
    if (ts.isJsxText(node) && !isCode) noteText(node.text, file);
    if (ts.isJsxAttribute(node) && LABELS.test(node.name.getText()) && node.initializer) {
      if (ts.isStringLiteral(node.initializer)) noteText(node.initializer.text, file);
    }
    const isInCode = isCode || (ts.isJsxElement(node) && node.openingElement.tagName.getText() === 'code');
    ts.forEachChild(node, (child) => visit(child, isInCode));
  };
  visit(source, false);
}

function noteUse({ expression, arguments: [first, second] }: ts.CallExpression, file: string): void {
  const name = expression.getText();
  const given = name === 'plural' ? second : name === 't' || name === 'tx' ? first : undefined;
  if (!given) return;
  if (!ts.isStringLiteralLike(given)) untranslated.push(`${file}: ${name}(${given.getText()})`);
  else used.add(name === 'plural' ? `# ${given.text}` : given.text);
}

function noteText(text: string, file: string): void {
  const shown = text.trim();
  if (/[A-Za-z]{2}/.test(shown) && !SAME.test(shown)) untranslated.push(`${file}: ${shown}`);
}

/** What a text has to keep in every language: its values and elements. */
function markersOf(text: string): readonly string[] {
  const marks = text.match(/\{\w+\}|<\/?\w+>/g) ?? [];
  return marks.sort();
}

test('every text that the page shows can be translated', () => {
  expect(used.size).toBeGreaterThan(500);
  expect(untranslated).toEqual([]);
});

describe.each(['de', 'zh'])('the texts in %s', (language) => {
  const texts = JSON.parse(readFileSync(`${folder}texts/${language}.json`, 'utf8')) as Record<string, string>;

  test('none is missing and none is left over', () => {
    expect([...used].filter((text) => !texts[text]).sort()).toEqual([]);
    expect(Object.keys(texts).filter((text) => !used.has(text))).toEqual([]);
  });

  test('each keeps its values and elements', () => {
    const changed = Object.keys(texts).filter((text) => String(markersOf(texts[text]!)) !== String(markersOf(text)));
    expect(changed).toEqual([]);
  });
});
