import type { Backends } from '../backends/interface.ts';
import type { ServiceName } from '../domain/models/services.ts';

/** What the parts of the service share. */
export interface ServiceOptions {
  readonly backends: Backends;
  readonly home: string;
  /** Configured ports; the others come from Msty's settings. */
  readonly ports: Partial<Record<ServiceName, number | undefined>>;
  /** The port of Nexus, where one is configured. */
  readonly nexusPort: number | undefined;
  readonly timeoutMs: number;
  readonly chatTimeoutMs: number;
  readonly about: {
    readonly name: string;
    readonly version: string;
    readonly tools: readonly { readonly name: string; readonly toolset: string }[];
  };
  readonly now: () => Date;
  /** Milliseconds of a monotonic clock. */
  readonly clock: () => number;
  readonly newId: () => string;
}

/** What a call brings along beside its arguments. */
export interface Call {
  readonly signal: AbortSignal;
  readonly progress: (report: { progress: number; total?: number; message?: string }) => void;
}
