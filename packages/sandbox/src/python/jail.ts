import { lstatSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pythonFiles } from '../assets.ts';
import { isRoot } from './setup/places.ts';

/** The user that root's untrusted code becomes (`nobody`). */
export const UNPRIVILEGED = 65534;

/** Where the sessions' results are inside. A child opens its own and closes the folder before it locks itself down. */
const RESULTS = '/results';

export interface JailOptions {
  readonly bubblewrap: boolean;
  readonly python: { readonly executable: string; readonly prefixes: readonly string[] };
  readonly preload: readonly string[];
  readonly readableFolders: readonly string[];
  /** Sockets and the sessions' folders. */
  readonly workDir: string;
}

export interface Jail {
  readonly command: string;
  readonly args: readonly string[];
  /** How a path in the work folder is called inside. */
  inside(path: string): string;
  /** Where a session writes, seen from inside. */
  scratch(sessionDir: string): string;
  /** A session's result file, seen from inside. */
  result(file: string): string;
}

// More threads would each claim address space, and the memory limit would strike early.
export const ZYGOTE_ENV = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  OPENBLAS_NUM_THREADS: '1',
  OMP_NUM_THREADS: '1',
  MKL_NUM_THREADS: '1',
  MALLOC_ARENA_MAX: '2',
};

/** The command that starts the prewarmed parent, inside bubblewrap or not. */
export function buildJail(options: JailOptions): Jail {
  const { bubblewrap, python, preload, readableFolders, workDir } = options;
  const root = isRoot();
  const inside = (path: string) => (bubblewrap ? path.replace(workDir, '/work') : path);
  const config = {
    socket: inside(join(workDir, 'host.sock')),
    preload,
    privateMounts: bubblewrap ? 'always' : root ? 'try' : 'user',
    dropTo: root ? UNPRIVILEGED : null,
    expose: root ? [...python.prefixes.filter((path) => path !== '/usr'), ...(bubblewrap ? [] : [workDir])] : [],
    kept: root ? readableFolders : [],
    detach: bubblewrap
      ? [RESULTS, ...readableFolders.filter((folder) => !python.prefixes.some((path) => isUnder(path, folder)))]
      : [],
  };
  const script = bubblewrap ? '/atoll/zygote.py' : join(pythonFiles, 'zygote.py');
  const run = [python.executable, '-I', '-B', script, JSON.stringify(config)];
  const [command, ...args] = bubblewrap ? ['bwrap', ...bubblewrapArgs(options, root), '--', ...run] : run;
  return {
    command: command!,
    args,
    inside,
    result: (file) => (bubblewrap ? join(RESULTS, basename(file)) : file),
    scratch: (sessionDir) => (bubblewrap ? '/scratch' : join(sessionDir, 'scratch')),
  };
}

/** The system's libraries, Python and the granted folders, all read-only; no network, no processes but its own. */
function bubblewrapArgs({ python, readableFolders, workDir }: JailOptions, root: boolean): string[] {
  const folders = [...new Set([...python.prefixes, ...readableFolders])].filter((path) => !isUnder(path, '/usr'));
  // Outer folders first: a later mount would hide an earlier one inside it.
  folders.sort((a, b) => a.length - b.length);
  return [
    ...['--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts', '--unshare-cgroup-try'],
    ...['--die-with-parent', '--new-session', '--hostname', 'sandbox', '--cap-drop', 'ALL'],
    // The parent mounts each session's scratch; as root it also changes the user. The children keep nothing of it.
    ...capabilities(
      root ? ['SYS_ADMIN', 'SETUID', 'SETGID', 'SETPCAP', 'KILL', 'DAC_READ_SEARCH'] : ['SYS_ADMIN', 'SETPCAP'],
    ),
    ...(root ? [] : ['--unshare-user', '--uid', String(UNPRIVILEGED), '--gid', String(UNPRIVILEGED)]),
    ...['--ro-bind', '/usr', '/usr', ...['/lib', '/lib64', '/lib32', '/bin'].flatMap(systemFolder)],
    ...['/etc/ld.so.cache', '/etc/localtime', '/etc/alternatives'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['/dev/null', '/dev/zero', '/dev/urandom'].flatMap((path) => ['--dev-bind', path, path]),
    ...folders.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--ro-bind', pythonFiles, '/atoll', '--ro-bind', workDir, '/work', '--dir', '/scratch'],
    ...['--bind', join(workDir, 'results'), RESULTS],
    ...['--remount-ro', '/', '--chdir', '/'],
  ];
}

const capabilities = (names: readonly string[]) => names.flatMap((name) => ['--cap-add', `CAP_${name}`]);

/** On most systems `/lib` is a link into `/usr`. */
function systemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path];
}

const isUnder = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
