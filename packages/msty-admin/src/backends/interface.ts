import type { Completion } from '../domain/models/completion.ts';
import type { ServiceModel } from '../domain/models/model-facts.ts';
import type { PullReport } from '../domain/models/pull-progress.ts';
import type { EndpointName, LifecycleProtocol, ServiceName } from '../domain/models/services.ts';

/** Where Msty is on this machine. Paths are real ones; they are put as `$HOME` only when shown. */
export interface Installation {
  readonly app: string | null;
  readonly data: string | null;
  readonly version: string | null;
  /** Null: the processes of this machine could not be looked at. */
  readonly isRunning: boolean | null;
  readonly platform: Platform;
}

export interface Platform {
  readonly system: string;
  readonly machine: string;
  readonly isAppleSilicon: boolean;
}

export interface FoundFile {
  readonly path: string;
  readonly sizeBytes: number;
}

export interface ModelFile extends FoundFile {
  readonly name: string;
  readonly format: string;
}

interface ScannedFolder {
  readonly path: string;
  readonly exists: boolean;
  readonly files: readonly FoundFile[];
}

export interface InstallationFinder {
  find(): Promise<Installation>;
  /** Where Msty Nexus, the gateway, is installed. */
  findNexus(): Promise<{ readonly app: string | null; readonly data: string | null }>;
  /** Files that may be Msty's database, the likeliest first. */
  databaseCandidates(): AsyncIterable<DatabaseCandidate>;
  /** Every folder that Msty uses or used, and the files in it that could hold data. */
  scan(): Promise<ScannedFolder[]>;
  modelFiles(): Promise<{ folders: readonly string[]; files: readonly ModelFile[] }>;
  /** Ports as Msty's own settings have them. */
  configuredPorts(): Promise<Partial<Record<ServiceName, number>>>;
  claudeConfigPath(): string;
  /** Folders that belong to Msty and are never written to. */
  protectedFolders(): readonly string[];
}

export interface DatabaseCandidate {
  readonly path: string;
  /** The user named it, so nothing else will do. */
  readonly isExplicit: boolean;
  /** Found by search: it counts only if it turns out to hold Studio's tables. */
  readonly needsProof: boolean;
}

export type Row = Record<string, unknown>;
export type SqlValue = string | number | null;

/** One look at a database, consistent from beginning to end. */
export interface DatabaseView {
  all(sql: string, ...values: SqlValue[]): Row[];
  tables(): string[];
  columns(table: string): string[];
}

export interface DatabaseReader {
  /**
   * Runs `work` on a consistent state of the file without locking or touching it or its companions. `work` may run again
   * when the file changed underneath, so it has no other effects.
   */
  read<Result>(path: string, work: (view: DatabaseView) => Result): Promise<DatabaseAnswer<Result>>;
  isSqlite(path: string): Promise<boolean>;
  sizeBytes(path: string): Promise<number | null>;
  close(): Promise<void>;
}

export interface DatabaseAnswer<Result> {
  readonly result: Result;
  /** The newest writes may be missing: the file is too large to be copied with its log, or its writer never held still. */
  readonly stalePossible: boolean;
}

export interface ServiceAddress<Name extends EndpointName = ServiceName> {
  readonly name: Name;
  readonly port: number;
}

export interface ServiceProblem {
  readonly code: string;
  readonly message: string;
  readonly suggestion: string | undefined;
}

export interface ServiceState<Name extends EndpointName = ServiceName> extends ServiceAddress<Name> {
  readonly available: boolean;
  readonly models: readonly ServiceModel[];
  /** Why it is not available, in our words; null when it is. */
  readonly problem: ServiceProblem | null;
}

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[];
  readonly temperature: number;
  readonly maxTokens: number;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Model services on this machine. Never any other host. */
export interface ModelServices {
  /** Never throws: a service that does not answer is not available. */
  look<Name extends EndpointName>(service: ServiceAddress<Name>, options: RequestOptions): Promise<ServiceState<Name>>;
  /** What only a question about one model brings out. */
  inspect(service: ServiceAddress, model: ServiceModel, options: RequestOptions): Promise<ServiceModel>;
  chat(
    service: ServiceAddress,
    request: ChatRequest,
    options: RequestOptions & { readonly onText?: (characters: number) => void },
  ): Promise<Completion>;
  request(
    service: ServiceAddress<EndpointName>,
    call: { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: unknown },
    options: RequestOptions,
  ): Promise<ServiceAnswer>;
}

/** A model in the memory of a service. One model may be loaded several times, as several instances. */
export interface LoadedEntry {
  readonly id: string;
  readonly instanceId: string;
  readonly memoryBytes: number | null;
  readonly vramBytes: number | null;
  readonly expiresAt: string | null;
}

/** One protocol through which models are managed. What a protocol cannot do is absent. */
export interface LifecycleDriver {
  readonly protocol: LifecycleProtocol;
  /** The services that may speak it. */
  readonly services: readonly ServiceName[];
  /** What is in memory; null when the service does not speak this protocol. */
  loaded(service: ServiceAddress, options: RequestOptions): Promise<LoadedEntry[] | null>;
  load(
    service: ServiceAddress,
    model: ServiceModel,
    request: { readonly keepAliveSeconds: number | undefined; readonly contextLength: number | undefined },
    options: RequestOptions,
  ): Promise<void>;
  /** Returns when the service no longer has it in memory. */
  unload(
    service: ServiceAddress,
    target: { readonly modelId: string; readonly instanceIds: readonly string[] },
    options: RequestOptions,
  ): Promise<void>;
  /** A negative number of seconds means forever. */
  keepAlive?(service: ServiceAddress, model: ServiceModel, seconds: number, options: RequestOptions): Promise<void>;
  pull?(
    service: ServiceAddress,
    name: string,
    onProgress: (report: PullReport) => void,
    options: RequestOptions,
  ): Promise<void>;
  remove?(service: ServiceAddress, modelId: string, options: RequestOptions): Promise<void>;
}

export interface Template {
  readonly id: string;
  readonly name: string;
  readonly template: string;
  readonly description: string;
  readonly variables: readonly string[];
  readonly preferredModel: string | null;
  readonly category: string;
  readonly useCount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Metric {
  readonly id: string;
  readonly modelId: string;
  readonly service: string;
  readonly at: string;
  readonly success: boolean;
  readonly latencyMs: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly tokensPerSecond: number | null;
}

export interface CalibrationRecord {
  readonly id: string;
  readonly modelId: string;
  readonly category: string;
  readonly at: string;
  readonly prompt: string;
  readonly qualityScore: number;
  readonly passed: boolean;
  readonly latencyMs: number;
}

export interface Trigger {
  readonly id: string;
  readonly pattern: string;
  readonly type: string;
  readonly createdAt: string;
}

export interface CacheStats {
  readonly hits: number;
  readonly misses: number;
  readonly entries: number;
}

/** What this server keeps for itself, in its own data folder. */
export interface OwnStore {
  template(name: string): Promise<Template | undefined>;
  templates(category?: string): Promise<Template[]>;
  /** Stores by name; a template of that name is replaced. */
  putTemplates(templates: readonly Template[]): Promise<void>;
  countUse(name: string): Promise<void>;
  /** A note that cannot be kept is left out. */
  addMetric(metric: Metric): Promise<void>;
  metrics(filter: { modelId?: string | undefined; since: string }): Promise<Metric[]>;
  addCalibration(record: CalibrationRecord): Promise<void>;
  calibrations(filter: {
    modelId?: string | undefined;
    category?: string | undefined;
    limit: number;
  }): Promise<CalibrationRecord[]>;
  addTrigger(trigger: Trigger): Promise<void>;
  triggers(): Promise<Trigger[]>;
  cached(key: string, now: Date): Promise<unknown>;
  cache(key: string, value: unknown, expires: Date): Promise<void>;
  cacheStats(now: Date): Promise<CacheStats>;
  /** How many answers were thrown away. */
  clearCache(): Promise<number>;
  close(): Promise<void>;
}

/** Files that callers name. */
export interface Files {
  /** The text, or undefined when there is no such file. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file that must not exist yet, readable by its owner only. */
  writeNew(path: string, text: string, options?: { readonly createsFolders?: boolean }): Promise<void>;
  /** Replaces a file as a whole, after a copy of it was put beside; says where the copy is. */
  replace(path: string, text: string, stamp: string): Promise<string | null>;
  /** The path with every link followed, as far as it exists. */
  resolve(path: string): Promise<string>;
}

export interface SystemProbe {
  resources(): Promise<{
    readonly cpuCount: number;
    readonly cpuModel: string | null;
    readonly loadAverage: readonly number[];
    readonly memoryTotalBytes: number;
    readonly memoryAvailableBytes: number;
    readonly diskTotalBytes: number | null;
    readonly diskFreeBytes: number | null;
  }>;
}

export interface Backends {
  readonly installation: InstallationFinder;
  readonly database: DatabaseReader;
  readonly services: ModelServices;
  /** In the order in which they are tried on a service. */
  readonly lifecycle: readonly LifecycleDriver[];
  readonly store: OwnStore;
  readonly files: Files;
  readonly system: SystemProbe;
}
