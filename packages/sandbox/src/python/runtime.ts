import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { resolve } from 'node:path';
import { unavailable } from '../errors.ts';
import type { Capability, CodeRuntime, PythonRuntimeOptions, SessionOptions } from '../interface.ts';
import { resolveLimits } from '../limits.ts';
import { setupCommand } from '../own-command.ts';
import { SessionPool } from '../session-pool.ts';
import { PythonSession } from './session.ts';
import { findPython } from './setup/find-python.ts';
import { defaultPythonDir } from './setup/places.ts';
import { readSetupState } from './setup/setup-state.ts';
import { startZygote } from './start-zygote.ts';
import type { Zygote } from './zygote.ts';

/** A failed probe is repeated after this time: the cause may have been fixed. */
const REFUSED_MS = 5_000;

/** CPython in locked-down processes. Nothing is started before the first `probe` or `open`. */
export function createPythonRuntime(options: PythonRuntimeOptions = {}): CodeRuntime {
  return new PythonRuntime(options);
}

class PythonRuntime implements CodeRuntime {
  readonly language = 'python';
  readonly #options: PythonRuntimeOptions;
  readonly #pool: SessionPool;
  #zygote: Zygote | undefined;
  #probe: Promise<Capability> | undefined;
  #readableFolders: readonly string[] = [];

  constructor(options: PythonRuntimeOptions) {
    this.#options = options;
    this.#pool = new SessionPool(options);
  }

  probe(): Promise<Capability> {
    if (!this.#probe) {
      const probe = this.#start().catch((error) =>
        this.#refuse(`Python could not be started: ${(error as Error).message}`),
      );
      this.#probe = probe;
      void probe.then(({ available }) => {
        if (!available) setTimeout(() => this.#forget(probe), REFUSED_MS).unref();
      });
    }
    return this.#probe;
  }

  async open(options: SessionOptions = {}): Promise<PythonSession> {
    const limits = resolveLimits('python', { ...options, limits: { ...this.#options.limits, ...options.limits } });
    const capability = await this.probe();
    if (!capability.available || !this.#zygote) throw unavailable(capability);
    const session = this.#session(this.#zygote, limits, options.files);
    await this.#pool.enter(session);
    return session;
  }

  async close(): Promise<void> {
    await this.#probe;
    await this.#pool.closeAll();
    await this.#zygote?.stop();
  }

  #session(zygote: Zygote, limits: ReturnType<typeof resolveLimits>, files: SessionOptions['files']): PythonSession {
    return new PythonSession({ zygote, pool: this.#pool, limits, files, readableFolders: this.#readableFolders });
  }

  async #start(): Promise<Capability> {
    const {
      python,
      pythonDir = defaultPythonDir(),
      preload = ['numpy', 'pandas'],
      bubblewrap = 'auto',
    } = this.#options;
    if (platform() !== 'linux') return this.#refuse('Python needs Linux: it cannot be isolated elsewhere', '');
    if (!['x64', 'arm64'].includes(arch())) return this.#refuse(`Python cannot be isolated on ${arch()} yet`, '');
    const found = await findPython({ python, pythonDir });
    if (!found) return this.#notFound(pythonDir);
    this.#readableFolders = (this.#options.readableFolders ?? []).map((folder) => resolve(folder)).filter(existsSync);

    const open = (zygote: Zygote) =>
      this.#session(zygote, resolveLimits('python', { purpose: 'prediction' }), undefined);
    const started = await startZygote(
      { python: found, preload, readableFolders: this.#readableFolders },
      bubblewrap,
      open,
    );
    if (!('zygote' in started)) return this.#refuse(started.reason, started.fix);
    const { zygote } = started;
    this.#zygote = zygote;
    const mine = this.#probe;
    void zygote.gone.then(() => this.#forget(mine));
    const walls = ['landlock', 'seccomp', 'rlimits', ...started.walls] as const;
    return {
      language: 'python',
      available: true,
      walls,
      version: zygote.facts.python,
      packages: zygote.facts.packages,
    };
  }

  #forget(probe: Promise<Capability> | undefined): void {
    if (this.#probe === probe) this.#probe = undefined;
  }

  async #notFound(pythonDir: string): Promise<Capability> {
    const setup = await readSetupState(pythonDir);
    if (!setup) return this.#refuse('No Python with NumPy was found on this machine');
    const { percent, step } = setup;
    return {
      ...this.#refuse(`Python is being set up: ${percent} % (${step})`, 'Try again in a minute'),
      setup: { percent, step },
    };
  }

  #refuse(reason: string, fix = setupCommand(this.#options.pythonDir)): Capability {
    return { language: 'python', available: false, walls: [], packages: {}, reason, ...(fix && { fix }) };
  }
}
