import { appView } from '@atoll-mcp/core';
import type { Lake } from '../service/limits/lake.ts';

/** The hits of `search_memory` with their places, for clients that show views. */
export const searchView = appView<Lake>({
  uri: 'ui://memorylake/search',
  name: 'search-view',
  title: 'Search results',
  description: 'Shows what search_memory found, with snippets and their places.',
  style:
    'mark { background: light-dark(#fff0b3, #5c4a06); color: inherit; } h2 { font-size: 1em; margin: 12px 0 4px; } blockquote { margin: 4px 0; padding-left: 10px; border-left: 3px solid #8aa; white-space: pre-wrap; }',
  show: `
  const { results = [], n = 0 } = (result.structuredContent || {}).result || {};
  add(root, 'p', n === 0 ? "Nothing was found." : results.length < n ? "The best " + results.length + " of " + n + " documents" : n + (n === 1 ? " document" : " documents"), { class: 'hint' });
  const words = (input.query || '').match(/[\\p{L}\\p{N}]{4,}/gu);
  const pattern = words && new RegExp('(' + words.join('|') + ')', 'giu');
  const marked = (to, text) => {
    const parts = pattern ? text.split(pattern) : [text];
    parts.forEach((part, index) => (index % 2 ? add(to, 'mark', part) : to.append(part)));
  };
  for (const hit of results) {
    add(root, 'h2', hit.name);
    const snippets = hit.snippets || [];
    if (snippets.length === 0) add(root, 'p', hit.summary);
    for (const { text, place = {} } of snippets) {
      const quote = add(root, 'blockquote');
      marked(quote, text);
      const where = Object.entries(place).map(([name, value]) => name + ' ' + [value].flat().join('–')).join(', ');
      if (where) add(quote, 'div', where, { class: 'hint' });
    }
  }`,
});
