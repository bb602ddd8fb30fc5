import type { CodeRuntime, CodeSession, Limits } from '@atoll-mcp/sandbox';
import { noCalls, PRELUDES } from './preludes.ts';

export type Language = 'javascript' | 'python';

/** The maximum of a sandbox session: code mode enforces its own limits on time and calls, which exclude time spent waiting for people. */
const HARD_LIMITS: Partial<Limits> = { wallMs: 600_000, jsonBytes: 64 * 1024 * 1024, hostCallsAtOnce: 256 };
const MAX_SESSIONS = 24;
const MAX_IDLE = 4;

/** Sandbox sessions for programs. The sandbox package is loaded at first use. */
export class Sandboxes {
  readonly #runtimes = new Map<Language, Promise<CodeRuntime>>();
  /** Reset JavaScript sessions by caller: one caller's interpreter thread never runs another's code. */
  readonly #idle = new Map<string, Promise<CodeSession | undefined>>();
  /** An unused session. */
  #spare: Promise<CodeSession | undefined> | undefined;
  #callsPerProgram: number;

  constructor(callsPerProgram: number) {
    this.#callsPerProgram = callsPerProgram;
  }

  /** Applies to new sessions. */
  set callsPerProgram(calls: number) {
    if (calls === this.#callsPerProgram) return;
    this.#callsPerProgram = calls;
    void this.#drop();
  }

  /** Starts a JavaScript session in the background. */
  prepare(): void {
    this.#spare ??= this.#open('javascript').catch(() => undefined);
  }

  /** Runs work in a clean session. Throws `SandboxError` if none is available. */
  async use<Result>(
    language: Language,
    caller: string,
    work: (session: CodeSession) => Promise<Result>,
  ): Promise<Result> {
    const calls = this.#callsPerProgram;
    const session = (language === 'javascript' && (await this.#ready(caller))) || (await this.#open(language));
    try {
      return await work(session);
    } finally {
      if (language === 'javascript' && calls === this.#callsPerProgram) this.#keep(caller, session);
      else void session.close();
    }
  }

  async close(): Promise<void> {
    await this.#drop();
    await Promise.all([...this.#runtimes.values()].map(async (runtime) => (await runtime).close()));
  }

  async #ready(caller: string): Promise<CodeSession | undefined> {
    const idle = this.#idle.get(caller);
    this.#idle.delete(caller);
    const own = await idle;
    if (own && !own.ended) return own;
    const spare = this.#spare;
    this.#spare = undefined;
    const unused = await spare;
    this.prepare();
    return unused?.ended ? undefined : unused;
  }

  #keep(caller: string, session: CodeSession): void {
    this.#idle.get(caller)?.then((before) => before?.close());
    this.#idle.delete(caller);
    this.#idle.set(caller, emptied(session));
    if (this.#idle.size <= MAX_IDLE) return;
    const [oldest] = this.#idle;
    if (!oldest) return;
    this.#idle.delete(oldest[0]);
    void oldest[1].then((other) => other?.close());
  }

  async #open(language: Language): Promise<CodeSession> {
    const runtime = await this.#runtime(language);
    const session = await runtime.open({ limits: { ...HARD_LIMITS, hostCalls: this.#callsPerProgram } });
    await session.run(PRELUDES[language], { host: noCalls });
    return session;
  }

  #runtime(language: Language): Promise<CodeRuntime> {
    const known = this.#runtimes.get(language);
    if (known) return known;
    const made = import('@atoll-mcp/sandbox').then((sandbox) =>
      language === 'python'
        ? sandbox.createPythonRuntime({ maxSessions: MAX_SESSIONS })
        : sandbox.createJavaScriptRuntime({ maxSessions: MAX_SESSIONS }),
    );
    this.#runtimes.set(language, made);
    return made;
  }

  async #drop(): Promise<void> {
    const sessions = [...this.#idle.values(), this.#spare];
    this.#idle.clear();
    this.#spare = undefined;
    await Promise.all(sessions.map(async (session) => (await session)?.close()));
  }
}

async function emptied(session: CodeSession): Promise<CodeSession | undefined> {
  await session.reset?.();
  if (session.ended) return undefined;
  await session.run(PRELUDES.javascript, { host: noCalls });
  return session;
}
