import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildJail, type Jail, type JailOptions, UNPRIVILEGED, ZYGOTE_ENV } from './jail.ts';
import { removeAtExit, removeStale, removeTree } from './remove-tree.ts';
import { isRoot } from './setup/places.ts';

interface ZygoteFacts {
  readonly python: string;
  readonly packages: Readonly<Record<string, string>>;
  readonly landlock: number;
}

/** A forked child before its first request: three connections and what is known about it. */
export interface Fork {
  readonly control: Socket;
  readonly stdout: Socket;
  readonly stderr: Socket;
  readonly filesDir: string;
  readonly scratchDir: string;
  /** Where it writes a result. */
  readonly resultFile: string;
  /** Its exit code, or the negative number of the signal that ended it. */
  readonly exit: Promise<number>;
  inside(path: string): string;
  end(): Promise<void>;
}

const PREFIX = 'atoll-sandbox-';
const START_MS = 120_000;
/** The signal that is reported for children whose parent is gone. */
const SIGTERM = 15;
const SIGKILL = 9;

/** The prewarmed parent process, and the server to which its children connect. */
export class Zygote {
  readonly facts: ZygoteFacts;
  readonly bubblewrap: boolean;
  /** Settles when the process is gone, for whatever reason. */
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #jail: Jail;
  readonly #workDir: string;
  readonly #waiting = new Map<string, Map<string, (socket: Socket) => void>>();
  #reserve: Promise<Fork | undefined> | undefined;
  readonly #exits = new Map<string, (status: number) => void>();
  readonly #removed: Promise<void>;
  #isGone = false;
  readonly #counts = new Map<number, (bytes: number) => void>();
  readonly #syncs = new Map<number, () => void>();
  #lastSync = 0;

  static async start(options: Omit<JailOptions, 'workDir'>): Promise<Zygote> {
    void removeStale(tmpdir(), PREFIX);
    const workDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
    const server = createServer({ pauseOnConnect: false });
    try {
      if (isRoot()) await chmod(workDir, 0o711);
      await mkdir(join(workDir, 'sessions'), { mode: 0o711 });
      await mkdir(join(workDir, 'results'), { mode: 0o700 });
      await once(server.listen(join(workDir, 'host.sock')), 'listening');
      const jail = buildJail({ ...options, workDir });
      const parent = spawn(jail.command, jail.args, { stdio: ['pipe', 'pipe', 'pipe'], env: ZYGOTE_ENV, cwd: '/' });
      const facts = await firstLine(parent);
      return new Zygote(parent, server, jail, workDir, options.bubblewrap, facts);
    } catch (error) {
      server.close();
      await removeTree(workDir);
      throw error;
    }
  }

  private constructor(
    parent: ChildProcess,
    server: Server,
    jail: Jail,
    workDir: string,
    bubblewrap: boolean,
    { facts, lines }: Awaited<ReturnType<typeof firstLine>>,
  ) {
    this.#process = parent;
    this.#jail = jail;
    this.#workDir = workDir;
    this.bubblewrap = bubblewrap;
    this.facts = facts;
    server.on('connection', (socket) => this.#accept(socket));
    lines.on('line', (line) => this.#onLine(line));
    const keep = removeAtExit(workDir);
    this.gone = once(parent, 'close').then(() => {
      this.#isGone = true;
      for (const report of this.#exits.values()) report(-SIGTERM);
      for (const report of this.#counts.values()) report(0);
      for (const report of this.#syncs.values()) report();
      server.close();
    });
    // A folder that cannot be removed yet is removed when this process ends.
    this.#removed = this.gone
      .then(() => removeTree(workDir))
      .then((isRemoved) => {
        if (isRemoved) keep();
      });
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** A child that waits to be told what it is for. One is kept in reserve, so that this mostly takes no time. */
  async fork(): Promise<Fork> {
    const ready = this.#reserve;
    this.#reserve = undefined;
    return (await ready) ?? this.#create();
  }

  /** Starts the next child before it is needed. */
  keepReserve(): void {
    this.#reserve ??= this.#create().catch(() => undefined);
  }

  async #create(): Promise<Fork> {
    if (this.#isGone) throw new Error('the parent process has ended');
    const session = randomBytes(12).toString('hex');
    const sessionDir = join(this.#workDir, 'sessions', session);
    const [filesDir, scratchDir] = ['files', 'scratch'].map((name) => join(sessionDir, name)) as [string, string];
    const resultFile = join(this.#workDir, 'results', session);
    mkdirSync(filesDir, { recursive: true, mode: 0o711 });
    mkdirSync(scratchDir, { mode: 0o700 });
    writeFileSync(resultFile, '', { mode: 0o600 });
    if (isRoot()) chownSync(scratchDir, UNPRIVILEGED, UNPRIVILEGED);

    const token = randomBytes(16).toString('hex');
    const exit = new Promise<number>((resolve) => this.#exits.set(session, resolve));
    const sockets = Promise.all(['control', 'stdout', 'stderr'].map((role) => this.#expect(token, role)));
    const [scratch, files, result] = [
      this.#jail.scratch(sessionDir),
      this.#jail.inside(filesDir),
      this.#jail.result(resultFile),
    ];
    this.#send({ fork: { session, token, scratch, files, result } });
    const end = async () => {
      this.#waiting.delete(token);
      this.#exits.delete(session);
      await Promise.all([removeTree(sessionDir), rm(resultFile, { force: true })]);
    };
    const connected = await Promise.race([sockets, exit]);
    if (typeof connected === 'number') {
      await end();
      throw new Error(`the session's process ended at once (${connected})`);
    }
    this.#waiting.delete(token);
    const [control, stdout, stderr] = connected as [Socket, Socket, Socket];
    return {
      control,
      stdout,
      stderr,
      filesDir,
      scratchDir,
      resultFile,
      exit,
      end,
      inside: (path) => this.#jail.inside(path),
    };
  }

  /** Only the parent can reach its children: they may be in another process namespace. */
  signal(pid: number, name: 'SIGINT' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    const numbers = { SIGINT: 2, SIGKILL: 9, SIGSTOP: 19, SIGCONT: 18 };
    this.#send({ signal: [pid, numbers[name]] });
  }

  /** Bytes in files that a child has deleted and keeps open; infinite where they cannot be counted. */
  hiddenBytes(pid: number, folder: string): Promise<number> {
    return new Promise((resolve) => {
      if (!this.#process.stdin?.writable) return resolve(0);
      this.#counts.set(pid, resolve);
      this.#send({ hidden: [pid, folder] });
    });
  }

  /** Settles when every signal that was asked for before has been sent. */
  signalsSent(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.#process.stdin?.writable) return resolve();
      this.#syncs.set(++this.#lastSync, resolve);
      this.#send({ sync: this.#lastSync });
    });
  }

  /** Ends the parent and with it every child. */
  async stop(): Promise<void> {
    this.#process.stdin?.end();
    const killer = setTimeout(() => this.#process.kill('SIGKILL'), 2_000);
    await this.#removed;
    clearTimeout(killer);
  }

  #send(message: object): void {
    if (this.#process.stdin?.writable) this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #expect(token: string, role: string): Promise<Socket> {
    const roles = this.#waiting.get(token) ?? new Map();
    this.#waiting.set(token, roles);
    return new Promise((resolve) => roles.set(role, resolve));
  }

  /** The first line of a connection says whose it is. It is sent before any untrusted code runs. */
  #accept(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    socket.once('data', (data: Buffer) => {
      const end = data.indexOf('\n');
      const [token = '', role = ''] = data.subarray(0, Math.max(0, end)).toString('latin1').split(' ');
      const resolve = this.#waiting.get(token)?.get(role);
      if (!resolve) return socket.destroy();
      this.#waiting.get(token)?.delete(role);
      socket.pause();
      if (end + 1 < data.length) socket.unshift(data.subarray(end + 1));
      resolve(socket);
    });
  }

  #onLine(line: string): void {
    const message = parentMessage(line);
    if (message?.exit !== undefined) this.#exits.get(message.exit)?.(message.number);
    if (message?.sync !== undefined) {
      this.#syncs.get(message.sync)?.();
      this.#syncs.delete(message.sync);
    }
    if (message?.hidden === undefined) return;
    this.#counts.get(message.hidden)?.(message.number < 0 ? Number.POSITIVE_INFINITY : message.number);
    this.#counts.delete(message.hidden);
  }
}

/** What the parent reports: how a child ended, or what it hides. Other lines, such as output of a package, are ignored. */
function parentMessage(line: string): { exit?: string; hidden?: number; sync?: number; number: number } | undefined {
  try {
    const { exit, status, hidden, bytes, sync } = Object(JSON.parse(line)) as Record<string, unknown>;
    if (typeof exit === 'string') return { exit, number: Number.isSafeInteger(status) ? Number(status) : -SIGKILL };
    if (typeof sync === 'number') return { sync, number: 0 };
    if (typeof hidden === 'number') return { hidden, number: Number.isSafeInteger(bytes) ? Number(bytes) : -1 };
  } catch {}
  return undefined;
}

/** The parent's first line, or the reason why there is none. */
async function firstLine(parent: ChildProcess) {
  const lines = createInterface({ input: parent.stdout! });
  let errors = '';
  parent.stderr!.on('data', (data) => {
    errors = `${errors}${data}`.slice(-2_000);
  });
  parent.stdin!.on('error', () => {});
  const timer = setTimeout(() => parent.kill('SIGKILL'), START_MS);
  try {
    const [line] = await Promise.race([
      once(lines, 'line'),
      once(parent, 'close').then(() => {
        throw new Error(errors.trim().split('\n').at(-1) || 'it ended without a message');
      }),
    ]);
    return { facts: JSON.parse(line) as ZygoteFacts, lines };
  } finally {
    clearTimeout(timer);
  }
}
