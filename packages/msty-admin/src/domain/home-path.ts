/** A path as it is shown: the home folder as `$HOME`, so that answers carry over and do not name a user. */
export function showPath(path: string, home: string): string {
  const base = trimEnd(home);
  if (!base) return path;
  if (path === base) return '$HOME';
  const next = path[base.length];
  return path.startsWith(base) && (next === '/' || next === '\\') ? `$HOME${path.slice(base.length)}` : path;
}

/** What a caller wrote, with a leading `~` or `$HOME` put in full. */
export function expandPath(path: string, home: string): string {
  const match = /^(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%)(?=$|[/\\])/.exec(path);
  return match ? `${trimEnd(home)}${path.slice(match[0].length)}` : path;
}

function trimEnd(home: string): string {
  return home.replace(/[/\\]+$/, '');
}
