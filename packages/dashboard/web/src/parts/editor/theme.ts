import { HighlightStyle } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--second)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--soft)' },
]);

export const THEME = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--ground)',
    border: '1px solid var(--edge)',
    borderRadius: '8px',
    fontSize: '0.92rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-content': {
    fontFamily: 'var(--mono)',
    minHeight: 'var(--editor-height, 5.5rem)',
    padding: '0.5rem 0',
    caretColor: 'var(--ink)',
  },
  '.cm-placeholder': { color: 'var(--soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--card)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { color: 'var(--ink)', backgroundColor: 'var(--accent-soft)' },
  '.cm-completionDetail': { color: 'var(--soft)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
});
