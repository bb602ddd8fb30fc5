import ignore from 'ignore';

export interface FolderPatterns {
  /** Only files that one of these patterns names; every document unless given. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
}

const SKIPPED_FOLDERS = new Set(['node_modules', '__pycache__']);

/** Whether a file or folder is followed, by its path below the watched folder with `/` between the parts. */
export function folderFilter({ include, exclude = [] }: FolderPatterns) {
  const included = include && ignore().add([...include]);
  const excluded = ignore().add([...exclude]);
  const isHidden = (path: string) => /(?:^|\/)(?:\.|~\$)[^/]*$/.test(path);
  return {
    file: (path: string): boolean =>
      !isHidden(path) && !excluded.ignores(path) && (included === undefined || included.ignores(path)),
    folder: (path: string): boolean =>
      !isHidden(path) && !SKIPPED_FOLDERS.has(path.split('/').at(-1)!) && !excluded.ignores(`${path}/`),
  };
}
