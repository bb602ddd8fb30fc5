import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { SQLite, sql } from '@codemirror/lang-sql';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'preact/hooks';
import type { TableInfo } from '../../lib/lake/sql.ts';

export interface SqlEditorProps {
  /** Put in place of what is there whenever it is another object; what is typed comes back by `onChange` only. */
  readonly given: { readonly text: string };
  readonly tables: readonly TableInfo[];
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
}

/** SQL with colours and completion of the lake's tables and columns. */
export function SqlEditor({ given, tables, onChange, onRun }: SqlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const language = useRef(new Compartment());
  const on = useRef({ onChange, onRun });
  on.current = { onChange, onRun };
  useEffect(() => {
    // In a shadow root its styles are sheets of objects, which the page's policy allows; style elements are refused.
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const run = () => {
      on.current.onRun();
      return true;
    };
    const state = EditorState.create({
      doc: given.text,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run }, ...completionKeymap, ...defaultKeymap, ...historyKeymap]),
        history(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        language.current.of(sqlWith(tables)),
        syntaxHighlighting(COLOURS),
        THEME,
        EditorView.lineWrapping,
        placeholder('SELECT …'),
        EditorView.contentAttributes.of({ 'aria-label': 'SQL', spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) on.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    view.current = new EditorView({ state, parent: root, root });
    return () => view.current?.destroy();
  }, []);
  useEffect(() => view.current?.dispatch({ effects: language.current.reconfigure(sqlWith(tables)) }), [tables]);
  useEffect(() => {
    const { doc } = view.current!.state;
    if (doc.toString() === given.text) return;
    view.current!.dispatch({ changes: { from: 0, to: doc.length, insert: given.text } });
  }, [given]);
  return <div class="sql-editor" ref={host} />;
}

function sqlWith(tables: readonly TableInfo[]) {
  const schema = Object.fromEntries(
    tables.map(({ table, columns }) => [
      table,
      columns.map(({ name, type = '' }) => ({ label: name, detail: type, type: 'property' })),
    ]),
  );
  return sql({ dialect: SQLite, schema, upperCaseKeywords: true });
}

const COLOURS = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--second)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--good)' },
  { tag: tags.comment, color: 'var(--soft)' },
]);

const THEME = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--ground)',
    border: '1px solid var(--edge)',
    borderRadius: '8px',
    fontSize: '0.92rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-content': { fontFamily: 'var(--mono)', minHeight: '5.5rem', padding: '0.5rem 0', caretColor: 'var(--ink)' },
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
