/** What programs commonly need and what holds no secrets; as the MCP SDK has it, and the locale. */
const INHERITED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'TMPDIR', 'LANG', 'LANGUAGE', 'TZ'],
  ...[
    'APPDATA',
    'LOCALAPPDATA',
    'HOMEDRIVE',
    'HOMEPATH',
    'USERNAME',
    'USERPROFILE',
    'TEMP',
    'TMP',
    'PATHEXT',
    'COMSPEC',
  ],
  ...['PROCESSOR_ARCHITECTURE', 'SYSTEMDRIVE', 'SYSTEMROOT', 'WINDIR', 'PROGRAMFILES', 'PROGRAMDATA'],
];

/** The part of our environment that a child process gets: an allow-list, and what `inheritEnv` names. */
export function childEnvironment(env: NodeJS.ProcessEnv, inheritEnv: readonly string[]): Record<string, string> {
  const allowed = new Set([...INHERITED, ...inheritEnv].map(fold));
  const kept = Object.entries(env).filter((entry): entry is [string, string] => {
    const [name, value] = entry;
    if (value === undefined || isOwnSecret(name)) return false;
    // A shell function in the environment is code.
    return (allowed.has(fold(name)) || name.startsWith('LC_') || allowed.has('*')) && !value.startsWith('()');
  });
  return Object.fromEntries(kept);
}

/** Never inherited, not even with `*`: whoever has it can call everything. */
const isOwnSecret = (name: string) => /^ATOLL_.*TOKEN/i.test(name);

/** Windows does not distinguish case. */
const fold = (name: string) => (process.platform === 'win32' ? name.toUpperCase() : name);
