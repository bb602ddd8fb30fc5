import { autocompletion, closeBrackets, closeCompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, placeholder } from '@codemirror/view';
import { useEffect, useRef } from 'preact/hooks';
import { COLOURS, THEME } from './theme.ts';

export interface CodeEditorProps {
  readonly label: string;
  readonly hint: string;
  /** Colours and completions; another object replaces the one before. */
  readonly language: Extension;
  /** Put in place of what is there whenever it is another object; what is typed comes back by `onChange` only. */
  readonly given: { readonly text: string };
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
}

/** Text with colours and completion. Ctrl-Enter runs it. */
export function CodeEditor({ label, hint, language, given, onChange, onRun }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const languages = useRef(new Compartment());
  const on = useRef({ onChange, onRun });
  on.current = { onChange, onRun };
  useEffect(() => {
    // In a shadow root its styles are sheets of objects, which the page's policy allows; style elements are refused.
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const run = (editor: EditorView) => {
      closeCompletion(editor);
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
        languages.current.of(language),
        syntaxHighlighting(COLOURS),
        THEME,
        EditorView.lineWrapping,
        placeholder(hint),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        EditorView.domEventHandlers({
          beforeinput: replaceSelection,
          blur: (_, editor) => void closeCompletion(editor),
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) on.current.onChange(update.state.doc.toString());
        }),
      ],
    });
    view.current = new EditorView({ state, parent: root, root });
    return () => view.current?.destroy();
  }, []);
  useEffect(() => view.current?.dispatch({ effects: languages.current.reconfigure(language) }), [language]);
  useEffect(() => {
    const { doc } = view.current!.state;
    if (doc.toString() === given.text) return;
    view.current!.dispatch({ changes: { from: 0, to: doc.length, insert: given.text } });
  }, [given]);
  return <div class="code-editor" ref={host} />;
}

/** Chromium gives text that replaces coloured text a style attribute, which the page's policy refuses and reports. */
function replaceSelection(event: InputEvent, view: EditorView): boolean {
  const { data } = event;
  if (event.inputType !== 'insertText' || data === null || view.composing) return false;
  const { from, to } = selectedRange(view);
  if (from === to) return false;
  const insert = () =>
    view.state.update({
      changes: { from, to, insert: data },
      selection: { anchor: from + data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
  const isTaken = view.state.facet(EditorView.inputHandler).some((take) => take(view, from, to, data, insert));
  if (!isTaken) view.dispatch(insert());
  event.preventDefault();
  return true;
}

/** As the browser has it: the editor may not know of a new selection yet. */
function selectedRange(view: EditorView): { readonly from: number; readonly to: number } {
  // Chromium alone answers this for a shadow root, and Chromium alone needs it.
  const root = view.root as DocumentOrShadowRoot & { getSelection?: () => Selection | null };
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = root.getSelection?.() ?? {};
  const isInside = (node: Node) => view.contentDOM.contains(node);
  if (!anchorNode || !focusNode || !isInside(anchorNode) || !isInside(focusNode)) return view.state.selection.main;
  const ends = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)];
  return { from: Math.min(...ends), to: Math.max(...ends) };
}
