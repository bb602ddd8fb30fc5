import type { ReadSink } from '../document.ts';

interface NotebookCell {
  readonly cell_type?: string;
  readonly source?: string | readonly string[];
  readonly outputs?: readonly NotebookOutput[];
}

interface NotebookOutput {
  readonly text?: string | readonly string[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly ename?: string;
  readonly evalue?: string;
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*$/;

export const isNotebook = (value: unknown): value is { readonly cells: readonly NotebookCell[] } => {
  const notebook = value as { cells?: unknown; nbformat?: unknown } | null;
  return typeof notebook === 'object' && typeof notebook?.nbformat === 'number' && Array.isArray(notebook.cells);
};

/** Reads a Jupyter notebook: its text, code and printed output cell by cell; pictures are counted. */
export function readNotebook(text: string, sink: ReadSink): void {
  const notebook: unknown = JSON.parse(text);
  if (!isNotebook(notebook)) return;
  let pictures = 0;
  let titled = false;
  for (const [at, cell] of notebook.cells.entries()) {
    const place = { line: at + 1, paragraph: at + 1 };
    const source = joined(cell?.source);
    if (cell?.cell_type !== 'markdown') {
      if (source.trim() !== '') sink.text({ ...place, text: source });
    } else {
      for (const block of source.split(/\n(?=#{1,6}\s)|(?<=^#{1,6}\s[^\n]*)\n/m)) {
        const heading = HEADING.exec(block.trim());
        if (heading && !titled) sink.title(heading[2]!);
        if (heading) titled = true;
        if (block.trim() !== '')
          sink.text(heading ? { ...place, text: heading[2]!, heading: heading[1]!.length } : { ...place, text: block });
      }
    }
    for (const output of Array.isArray(cell?.outputs) ? cell.outputs : []) {
      if (Object.keys(output?.data ?? {}).some((type) => type.startsWith('image/'))) pictures++;
      const printed = printedBy(output ?? {});
      if (printed.trim() !== '') sink.text({ ...place, text: printed });
    }
  }
  sink.figures(pictures);
}

function printedBy({ text, data, ename, evalue }: NotebookOutput): string {
  if (ename !== undefined) return `${ename}: ${evalue ?? ''}`;
  const isPicture = Object.keys(data ?? {}).some((type) => type.startsWith('image/'));
  return joined(text ?? (isPicture ? '' : data?.['text/plain']));
}

const joined = (text: unknown): string =>
  Array.isArray(text) ? text.filter((line) => typeof line === 'string').join('') : typeof text === 'string' ? text : '';
