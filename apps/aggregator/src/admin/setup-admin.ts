import { join } from 'node:path';
import type { ProgressReport } from '@atoll-mcp/core';
import type { AggregatorConfig } from '../config.ts';
import { configFor } from '../upstreams/builtin.ts';
import { installFailed, modelNotUsed, unknownComponent } from './errors.ts';

export interface SetupAdminOptions {
  readonly config: () => AggregatorConfig;
  readonly env: NodeJS.ProcessEnv;
}

interface InstallWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (report: ProgressReport) => void;
}

const PYTHON = 'python';

/** Optional components of the built-in servers: Python with its packages, and embedding models. */
export class SetupAdmin {
  readonly #options: SetupAdminOptions;

  constructor(options: SetupAdminOptions) {
    this.#options = options;
  }

  async list() {
    const [python, models] = await Promise.all([this.#python(), this.#models()]);
    return { python, models };
  }

  /** Installs Python or a model; a call during an installation waits for that one. */
  async install(what: string, { signal, onProgress }: InstallWatch) {
    if (what === PYTHON) return this.#installPython({ signal, onProgress });
    const known = await this.#models();
    if (!known.some(({ name }) => name === what))
      throw unknownComponent(what, [PYTHON, ...known.map(({ name }) => name)]);
    const { ModelProblem, pullModel } = await import('@atoll-mcp/cortex-embeddings');
    const { store, hub } = await this.#modelPlace();
    try {
      await pullModel(store, what, {
        hub,
        signal,
        onProgress: ({ step, doneBytes, totalBytes }) =>
          onProgress({ progress: doneBytes, ...(totalBytes > 0 && { total: totalBytes }), message: step }),
      });
    } catch (error) {
      if (error instanceof ModelProblem) throw installFailed(what, error.message, error.remedy);
      throw error;
    }
    return { installed: what };
  }

  /** Sets the default model; running servers keep theirs until the next start. */
  async useModel(name: string) {
    const { ModelProblem } = await import('@atoll-mcp/cortex-embeddings');
    const { store } = await this.#modelPlace();
    try {
      await store.use(name);
    } catch (error) {
      if (error instanceof ModelProblem) throw modelNotUsed(error.message, error.remedy);
      throw error;
    }
    return { used: store.active(), needs_restart: true };
  }

  async #python() {
    const { defaultPythonDir, readSetupState, readyPython } = await import('@atoll-mcp/sandbox');
    if (process.platform !== 'linux') return { state: 'unavailable' as const };
    const folder = defaultPythonDir(this.#options.env);
    const ready = await readyPython(folder);
    if (ready) return { state: 'ready' as const, version: ready.version };
    const busy = await readSetupState(folder);
    return busy
      ? { state: 'installing' as const, percent: busy.percent, step: busy.step }
      : { state: 'missing' as const };
  }

  async #installPython({ signal, onProgress }: InstallWatch) {
    const { defaultPythonDir, SandboxError, setupPython } = await import('@atoll-mcp/sandbox');
    try {
      await setupPython({
        pythonDir: defaultPythonDir(this.#options.env),
        signal,
        onProgress: ({ percent, step }) => onProgress({ progress: percent, total: 100, message: step }),
      });
    } catch (error) {
      if (error instanceof SandboxError) throw installFailed('Python', error.message, error.fix);
      throw error;
    }
    return { installed: PYTHON };
  }

  async #models() {
    const { listModels } = await import('@atoll-mcp/cortex-embeddings');
    const { store } = await this.#modelPlace();
    const models = await listModels(store, store.active());
    return models.map(({ name, kind, installed, active, languages, dimensions, sizeBytes, licence, source }) => ({
      ...{ name, kind, installed, active, languages: [...languages], dimensions, licence, source },
      size_bytes: sizeBytes,
    }));
  }

  async #modelPlace() {
    const { configDefinition, ModelStore } = await import('@atoll-mcp/cortex-embeddings');
    const { dataDir } = this.#options.config();
    const config = configFor(configDefinition, 'cortex-embeddings', { env: this.#options.env, dataDir, settings: {} });
    return {
      store: new ModelStore(join(config.dataDir, 'models')),
      hub: { url: config.hubUrl, token: config.hubToken },
    };
  }
}
