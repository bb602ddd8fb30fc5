import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads "+ group" and "- group"; when its stdin closes because we exited (even by `kill -9`), it ends the remaining
 * groups: after one second SIGTERM, after another SIGKILL.
 */
const SCRIPT = `
trap '' INT TERM HUP
groups=' '
while read -r sign group; do
  case "$sign" in
    +) groups="$groups$group " ;;
    -) case "$groups" in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
[ "$groups" = ' ' ] && exit 0
sleep 1
for group in $groups; do kill -TERM "-$group" 2>/dev/null; done
sleep 1
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`;

/** A small shell that outlives us just long enough to end leftover processes. */
export class ProcessGuard {
  readonly #groups = new Set<number>();
  #shell: ChildProcess | undefined;
  #closed = false;

  /** Before a child is started: if we are killed right after that, the guard is already there. */
  prepare(): void {
    if (!this.#shell) this.#start();
  }

  add(group: number): void {
    this.#groups.add(group);
    if (!this.#shell) this.#start();
    else this.#tell(`+ ${group}\n`);
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}\n`);
  }

  close(): void {
    this.#closed = true;
    this.#shell?.stdin?.end();
  }

  #start(): void {
    if (process.platform === 'win32') return;
    const shell = spawn('/bin/sh', ['-c', SCRIPT, 'atoll-guard'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
      cwd: '/',
    });
    this.#shell = shell;
    shell.stdin?.on('error', () => {});
    shell.on('error', () => {});
    shell.on('exit', () => {
      this.#shell = undefined;
      if (!this.#closed && this.#groups.size > 0) this.#start();
    });
    shell.unref();
    (shell.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    this.#tell([...this.#groups].map((group) => `+ ${group}\n`).join(''));
  }

  #tell(text: string): void {
    this.#shell?.stdin?.write(text);
  }
}
