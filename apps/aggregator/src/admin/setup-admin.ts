import { join } from 'node:path';
import type { ProgressReport } from '@atoll-mcp/core';
import type { AggregatorConfig } from '../config.ts';
import { configFor } from '../upstreams/builtin.ts';
import { installFailed, modelNotUsed, unknownComponent } from './errors.ts';

interface SetupAdminOptions {
  readonly config: () => AggregatorConfig;
  readonly env: NodeJS.ProcessEnv;
}

interface InstallWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (report: ProgressReport) => void;
}

const PYTHON = 'python';
const OCR = 'ocr';

/** Optional components of the built-in servers: Python with its packages, text recognition, and embedding models. */
export class SetupAdmin {
  readonly #options: SetupAdminOptions;

  constructor(options: SetupAdminOptions) {
    this.#options = options;
  }

  async list() {
    const [python, ocr, models] = await Promise.all([this.#python(), this.#ocr(), this.#models()]);
    return { python, ocr, models };
  }

  /** Installs Python or a model; a call during an installation waits for that one. */
  async install(what: string, { signal, onProgress }: InstallWatch) {
    if (what === PYTHON) return this.#installPython({ signal, onProgress });
    if (what === OCR) return this.#installOcr({ signal, onProgress });
    const known = await this.#models();
    if (!known.some(({ name }) => name === what))
      throw unknownComponent(what, [PYTHON, OCR, ...known.map(({ name }) => name)]);
    const { pullModel } = await import('@atoll-mcp/cortex-embeddings');
    const { store, hub } = await this.#modelPlace();
    return fetched(what, () => pullModel(store, what, { hub, signal, onProgress: reportOf(onProgress) }));
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

  async #ocr() {
    const { hasOcrModels, ocrModels } = await import('@atoll-mcp/memorylake');
    return { installed: hasOcrModels(await this.#ocrFolder()), size_bytes: ocrModels.sizeBytes };
  }

  async #installOcr({ signal, onProgress }: InstallWatch) {
    const { ocrModels } = await import('@atoll-mcp/memorylake');
    const { pullFiles } = await import('@atoll-mcp/cortex-embeddings');
    const folder = await this.#ocrFolder();
    return fetched(OCR, () => pullFiles(ocrModels, folder, { signal, onProgress: reportOf(onProgress) }));
  }

  async #ocrFolder() {
    const { configDefinition, ocrFolder } = await import('@atoll-mcp/memorylake');
    const { dataDir } = this.#options.config();
    const config = configFor(configDefinition, 'memorylake', { env: this.#options.env, dataDir, settings: {} });
    return ocrFolder(config.dataDir);
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

/** Runs a download; its failures are answers. */
async function fetched(what: string, fetch: () => Promise<unknown>) {
  const { ModelProblem } = await import('@atoll-mcp/cortex-embeddings');
  try {
    await fetch();
  } catch (error) {
    if (error instanceof ModelProblem) throw installFailed(what, error.message, error.remedy);
    throw error;
  }
  return { installed: what };
}

const reportOf =
  (onProgress: InstallWatch['onProgress']) =>
  ({ step, doneBytes, totalBytes }: { step: string; doneBytes: number; totalBytes: number }) =>
    onProgress({ progress: doneBytes, ...(totalBytes > 0 && { total: totalBytes }), message: step });
