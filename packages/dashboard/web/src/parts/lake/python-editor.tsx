import { python } from '@codemirror/lang-python';
import { t } from '../../lib/texts.ts';
import { CodeEditor, type CodeEditorProps } from '../editor/code-editor.tsx';

export type PythonEditorProps = Pick<CodeEditorProps, 'given' | 'onChange' | 'onRun'>;

const LANGUAGE = python();

/** Python with colours. */
export function PythonEditor(props: PythonEditorProps) {
  return <CodeEditor label={t('Python code')} hint="print(…)" language={LANGUAGE} {...props} />;
}
