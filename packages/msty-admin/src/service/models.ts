import { ToolError } from '@atoll-mcp/core';
import { showPath } from '../domain/home-path.ts';
import {
  type BenchmarkRun,
  benchmarkFigures,
  benchmarkPrompt,
  estimatedTokens,
  speedRating,
} from '../domain/models/benchmark.ts';
import { gigabytes } from '../domain/models/gigabytes.ts';
import { factsOf, type ServiceModel, unknownModel } from '../domain/models/model-facts.ts';
import { requirementsOf } from '../domain/models/requirements.ts';
import { tagsOf } from '../domain/models/tags.ts';
import { type AvailableModels, summaryOf } from './available-models.ts';
import type { ChatArea } from './chat.ts';
import type { Call, ServiceOptions } from './options.ts';

const BENCHMARK_TOKENS = 256;

/** Facts, speed and memory needs of single models. */
export class ModelsArea {
  readonly #options: ServiceOptions;
  readonly #models: AvailableModels;
  readonly #chat: ChatArea;

  constructor(options: ServiceOptions, models: AvailableModels, chat: ChatArea) {
    this.#options = options;
    this.#models = models;
    this.#chat = chat;
  }

  async details(id: string, signal: AbortSignal) {
    const at = await this.#models.find(id, signal);
    const { timeoutMs, backends } = this.#options;
    const model = await backends.services.inspect(at.service, at.model, { signal, timeoutMs });
    const { id: modelId, ...facts } = summaryOf({ service: at.service, model });
    const { modelMemoryGb, recommendedVramGb } = requirementsOf(model);
    return { modelId, ...facts, activeParametersB: factsOf(model).activeB, modelMemoryGb, recommendedVramGb };
  }

  /** One run after another; a run that fails is left out, and all of them failing is a failure. */
  async benchmark(id: string, runs: number, promptLengths: readonly number[], call: Call) {
    const at = await this.#models.forChat(id, call.signal);
    const plan = promptLengths.flatMap((length) => Array.from({ length: runs }, () => length));
    const measured: (BenchmarkRun & { isEstimated: boolean })[] = [];
    let failure: ToolError | undefined;
    for (const [index, promptLength] of plan.entries()) {
      call.progress({ progress: index, total: plan.length, message: `prompt of ${promptLength} tokens` });
      try {
        const question = { message: benchmarkPrompt(promptLength), maxTokens: BENCHMARK_TOKENS, isForSpeed: true };
        const spoken = await this.#chat.askModel(at, question, { signal: call.signal });
        const counted = spoken.usage?.completion || null;
        measured.push({
          promptLength,
          latencyMs: spoken.totalMs,
          completionTokens: counted ?? estimatedTokens(spoken.text),
          isEstimated: counted === null,
        });
      } catch (error) {
        if (!(error instanceof ToolError) || call.signal.aborted) throw error;
        failure = error;
      }
    }
    call.progress({ progress: plan.length, total: plan.length });
    if (measured.length === 0 && failure) throw failure;
    const figures = benchmarkFigures(measured);
    return {
      modelId: at.model.id,
      results: [...figures.results],
      overallAvgTokensPerSec: figures.overallAvgTokensPerSec,
      rating: speedRating(figures.overallAvgTokensPerSec),
      tokenCounts: measured.some(({ isEstimated }) => isEstimated) ? ('estimated' as const) : ('service' as const),
      failedRuns: plan.length - measured.length,
    };
  }

  async files() {
    const { folders, files } = await this.#options.backends.installation.modelFiles();
    const shown = (path: string) => showPath(path, this.#options.home);
    return {
      files: files.map(({ name, path, sizeBytes, format }) => ({
        name,
        path: shown(path),
        sizeGb: gigabytes(sizeBytes),
        format,
        tags: tagsOf(name),
      })),
      totalFiles: files.length,
      totalSizeGb: gigabytes(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)) ?? 0,
      locations: folders.map(shown),
    };
  }

  /** From the description of a running service, else from the name alone. */
  async requirements(id: string, signal: AbortSignal) {
    return { modelId: id, ...requirementsOf(await this.#known(id, signal)) };
  }

  async #known(id: string, signal: AbortSignal): Promise<ServiceModel> {
    const { states } = await this.#models.recent(signal);
    return states.flatMap(({ models }) => models).find((model) => model.id === id) ?? unknownModel(id);
  }
}
