import type { ComputedTensor as Tensor } from '@atoll-mcp/formats/dtypes';

/** What the sandbox offers: a runtime per language, and sessions in which untrusted code runs. */

export type Language = 'python' | 'javascript' | 'sql';

/** How code is isolated: Python in locked-down processes, JavaScript and SQL in WebAssembly. */
export type Wall = 'namespaces' | 'landlock' | 'seccomp' | 'rlimits' | 'unprivileged' | 'webassembly' | 'thread';

/** `sql` takes no tensors; its sessions answer `predict` with a `refused` failure. */
export interface CodeRuntime<
  Options extends SessionOptions = SessionOptions,
  Session extends CodeSession = CodeSession,
> {
  readonly language: Language;
  /** What works here. Starts the runtime and attacks it once, then answers from memory until something changed. */
  probe(): Promise<Capability>;
  /** Throws SandboxError `unavailable` (nothing runs outside a sandbox) or `busy` (all sessions are running calls). */
  open(options?: Options): Promise<Session>;
  /** Ends all sessions and every process or thread of this runtime. */
  close(): Promise<void>;
}

export interface Capability {
  readonly language: Language;
  readonly available: boolean;
  readonly walls: readonly Wall[];
  /** Version of the interpreter, and of each package it can import. */
  readonly version?: string;
  readonly packages: Readonly<Record<string, string>>;
  /** Why it is not available, in one sentence, and the command that repairs it. */
  readonly reason?: string;
  readonly fix?: string;
  /** Present while `setup-python` runs, in this or another process. */
  readonly setup?: { readonly percent: number; readonly step: string };
}

export interface SessionOptions {
  /** Decides the default memory: 1 GiB for a prediction, 2 GiB for an executor (the default). */
  readonly purpose?: 'prediction' | 'executor';
  readonly limits?: Partial<Limits>;
  /** Files the code may read. Nothing else of the file system is there. */
  readonly files?: FileGrants;
}

/**
 * Gives the code a function `name(id, fileName)`, such as `get_memory_path`, that returns the path of a read-only copy.
 * `find` is asked each time, so what is granted may change while the session lives; `undefined` means no such id.
 * A file name that is not the granted one raises an error that tells the right one. In JavaScript the path can be read
 * with `readText(path)` and `readBytes(path)`.
 */
export interface FileGrants {
  readonly functionName: string;
  find(id: string): Promise<GrantedFile | undefined>;
}

export interface GrantedFile {
  readonly name: string;
  /** Where the file is on this machine; the code never sees this path. */
  readonly path: string;
}

export interface CodeSession {
  readonly id: string;
  /** Set once the session is over: why, in a word that callers can switch on. */
  readonly ended: EndReason | undefined;
  /** Whether the code that runs does nothing but wait for host functions. Undefined where that cannot be told (Python, SQL). */
  readonly isWaiting?: boolean;
  /** Runs code in the session's state. Calls are served one after another. Never throws for what the code does. */
  run(code: string, options?: RunOptions): Promise<RunResult>;
  /** Runs code that defines `predict(tensors)` in a namespace of its own, and calls it. */
  predict(code: string, tensors: Readonly<Record<string, TensorInput>>, options?: RunOptions): Promise<Prediction>;
  /**
   * Starts over with nothing of the runs before, faster than a new session. JavaScript only. Meant for code of the same origin: the
   * interpreter is new, its thread is not.
   */
  reset?(): Promise<void>;
  /** Stops what runs now, softly: state survives where the runtime can keep it. */
  interrupt(): Promise<void>;
  close(): Promise<void>;
}

/** `replaced`: it was the longest idle one when room was needed. `killed`: a limit or a crash ended it. */
export type EndReason = 'closed' | 'idle' | 'replaced' | 'killed';

export interface RunOptions {
  /** Wall time of this call, at most 600,000. Host functions count: a call that waits for one is running. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Answers `call(name, args)` of the code. Without it, `call` fails. */
  readonly host?: HostFunction;
  /** Also returns the value of the last expression, or of a top-level `return` in JavaScript, as `value`. */
  readonly returnValue?: boolean;
  /** Told what the code prints while it runs, as far as it is kept in the result. */
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
  /**
   * Returns the files that the code writes into the folder `out/`, in JavaScript with `writeText(path, text)` and
   * `writeBytes(path, bytes)`. Files that an earlier run of the session returned come back only if they have changed.
   */
  readonly collectFiles?: boolean;
}

/** A file that code wrote into `out/`. */
export interface OutputFile {
  /** Its path in `out/`, with `/` between folders. Checked: it leads nowhere else. */
  readonly name: string;
  readonly data: Uint8Array;
}

export interface RefusedFile {
  readonly name: string;
  /** Why it was not returned: a link, too large, too many, a name that cannot be used. */
  readonly reason: string;
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * A function of the host that the code calls as `await call(name, args)` in JavaScript, several at once if it likes, and
 * as `call(name, args)` in Python. Names and arguments are untrusted. A rejection is raised in the code with its message.
 * The signal is aborted as soon as the run is over, for whatever reason.
 */
export type HostFunction = (name: string, args: Json, signal: AbortSignal) => Promise<Json>;

/**
 * exception: the code raised an error · timeout, memory, output: it met that limit · crashed: the interpreter died ·
 * interrupted: the caller stopped it · refused: code, tensors or result don't fit the contract · unavailable: the
 * session is over or the sandbox is not there.
 */
export type FailureKind =
  | 'exception'
  | 'timeout'
  | 'memory'
  | 'output'
  | 'crashed'
  | 'interrupted'
  | 'refused'
  | 'unavailable';

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence. For an exception, its type and message as the language words them. */
  readonly message: string;
  /** Of the user's own code only. */
  readonly traceback?: string;
}

export interface RunResult {
  readonly ok: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** True where the text above is only the beginning of what was written. */
  readonly truncated: { readonly stdout: boolean; readonly stderr: boolean };
  readonly durationMs: number;
  readonly failure?: Failure;
  /** Whether variables of earlier calls are still there. */
  readonly statePreserved: boolean;
  /** With `returnValue`, if the code ended well and its last expression has a value. NaN and infinities are null. */
  readonly value?: Json;
  /** With `collectFiles`. */
  readonly files?: readonly OutputFile[];
  readonly refusedFiles?: readonly RefusedFile[];
}

export interface Prediction extends RunResult {
  /** There if and only if `ok`. */
  readonly tensor?: Tensor;
}

export { type ComputedDtype as Dtype, type ComputedTensor as Tensor, DTYPES } from '@atoll-mcp/formats/dtypes';

/** A tensor in memory, or the path of an `.npy` file, which Python maps instead of copying. */
export type TensorInput = Tensor | { readonly npy: string };

export interface SqlOptions extends SessionOptions {
  readonly tables: readonly SqlTable[];
}

/** `rows` is read once, when the session opens. Booleans are stored as 0 and 1, dates as ISO 8601 text. */
export interface SqlTable {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
  readonly rows: Iterable<readonly SqlValue[]>;
}

export type SqlType = 'integer' | 'real' | 'text' | 'boolean' | 'date' | 'datetime';
export type SqlValue = string | number | bigint | boolean | Date | null | undefined;

export interface SqlSession extends CodeSession {
  /** One statement that reads. */
  run(sql: string, options?: SqlRunOptions): Promise<SqlResult>;
}

export interface SqlRunOptions extends RunOptions {
  /** At most this many rows are returned; default and most are the session's `rows` limit. */
  readonly maxRows?: number;
}

export interface SqlResult extends RunResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlCell[])[];
  /** True when there were more rows than were returned. */
  readonly rowsTruncated: boolean;
}

/** Integers beyond 2^53 arrive as text, blobs as base64 text. */
export type SqlCell = string | number | null;

export interface Limits {
  /** Wall time of a call. When it is over: interrupt, `graceMs`, kill. */
  readonly wallMs: number;
  readonly graceMs: number;
  readonly memoryBytes: number;
  /** Kept of stdout and of stderr, each. */
  readonly outputBytes: number;
  /** Written in one call before it is killed. */
  readonly outputKillBytes: number;
  readonly scratchBytes: number;
  readonly codeBytes: number;
  /** Of a result tensor. */
  readonly resultBytes: number;
  /** Of an SQL answer. */
  readonly rows: number;
  /** Calls of host functions in one run; more are answered with an error. */
  readonly hostCalls: number;
  /** Calls of host functions that are under way at the same time; more wait. */
  readonly hostCallsAtOnce: number;
  /** Of the arguments, the result, and the value that a run returns, each as JSON. */
  readonly jsonBytes: number;
  /** Files that a run returns, and their bytes together. */
  readonly outputFiles: number;
  readonly outputFileBytes: number;
}

export interface RuntimeOptions {
  /** Live sessions at once; the longest idle one makes room for a new one. Default 8. */
  readonly maxSessions?: number;
  /** An unused session ends after this time. Default 15 minutes. */
  readonly idleMs?: number;
  /** Limits for every session that doesn't bring its own. */
  readonly limits?: Partial<Limits>;
}

export interface PythonRuntimeOptions extends RuntimeOptions {
  /** Where `setup-python` puts its environment; default `defaultPythonDir()`. */
  readonly pythonDir?: string;
  /** This interpreter and no other. */
  readonly python?: string;
  /** Folders with `.npy` files that predictions map in place; files from elsewhere are copied. */
  readonly readableFolders?: readonly string[];
  /** Imported once, before the first session; what is not there is skipped. Default: numpy and pandas. */
  readonly preload?: readonly string[];
  /** `auto` uses it where it works. The worker's own lockdown is always on. */
  readonly bubblewrap?: 'auto' | 'off' | 'required';
}
