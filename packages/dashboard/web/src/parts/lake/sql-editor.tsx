import { SQLite, sql } from '@codemirror/lang-sql';
import { useMemo } from 'preact/hooks';
import type { TableInfo } from '../../lib/lake/sql.ts';
import { CodeEditor, type CodeEditorProps } from '../editor/code-editor.tsx';

export interface SqlEditorProps extends Pick<CodeEditorProps, 'given' | 'onChange' | 'onRun'> {
  readonly tables: readonly TableInfo[];
}

/** SQL with colours and completion of the lake's tables and columns. */
export function SqlEditor({ tables, ...props }: SqlEditorProps) {
  const language = useMemo(() => sqlWith(tables), [tables]);
  return <CodeEditor label="SQL" hint="SELECT …" language={language} {...props} />;
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
