import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { javascript } from '@codemirror/lang-javascript';
import { python } from '@codemirror/lang-python';
import { EditorState } from '@codemirror/state';
import { useMemo } from 'preact/hooks';
import type { Tool } from '../../lib/mcp.ts';
import { completeProgram, type ProgramLanguage } from '../../lib/programs/complete.ts';
import { t } from '../../lib/texts.ts';
import { CodeEditor, type CodeEditorProps } from '../editor/code-editor.tsx';

export interface ProgramEditorProps extends Pick<CodeEditorProps, 'given' | 'onChange' | 'onRun'> {
  readonly language: ProgramLanguage;
  readonly tools: readonly Tool[];
}

/** A program with completion of tools, their arguments and the values that these take. */
export function ProgramEditor({ language, tools, ...props }: ProgramEditorProps) {
  const extension = useMemo(() => {
    const complete = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
      const found = completeProgram(state.sliceDoc(0, pos), language, tools);
      if (!found || (!explicit && found.from === pos && !/[.{(,"']\s*$/.test(state.sliceDoc(0, pos)))) return null;
      // In the order in which they are offered: required arguments come first.
      const options = found.options.map((option, at) => ({ ...option, boost: Math.max(-99, -at) }));
      return { from: found.from, options, validFor: /^[\w$]*$/ };
    };
    const known = language === 'python' ? python() : javascript();
    return [known, EditorState.languageData.of(() => [{ autocomplete: complete }])];
  }, [language, tools]);
  return <CodeEditor label={t('Program')} hint="return await tools.…" language={extension} {...props} />;
}
