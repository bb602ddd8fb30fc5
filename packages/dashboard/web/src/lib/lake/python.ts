import type { Memory } from './lake.ts';

/** Where nothing is chosen: what is there to work with. */
export const FIRST_CODE = 'import pandas as pd\nprint(pd.__version__)';

/** A beginning for a document: its tables as frames, or its bytes. */
export function codeFor({ id, name, num_tables: tables }: Memory): string {
  if (tables)
    return `for name, frame in get_memory_tables(${quoted(id)}).items():\n    print(name, frame.shape)\n    print(frame.head())`;
  return `path = get_memory_path(${quoted(id)}, ${quoted(name)})\nwith open(path, "rb") as file:\n    print(file.read(400))`;
}

/** JSON's strings are Python's, but for characters outside the first plane, which stay as they are. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
