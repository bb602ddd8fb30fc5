import { ToolError } from '@atoll-mcp/core';
import {
  type BenchmarkRun,
  benchmarkFigures,
  benchmarkPrompt,
  estimatedTokens,
  speedRating,
} from '../domain/benchmark.ts';
import { showPath } from '../domain/home-path.ts';
import { factsOf, type ServiceModel, unknownModel } from '../domain/model-facts.ts';
import { requirementsOf } from '../domain/requirements.ts';
import { tagsOf } from '../domain/tags.ts';
import type { ChatArea } from './chat.ts';
import { listed, type ModelsAtHand } from './models-at-hand.ts';
import type { Call, ServiceOptions } from './options.ts';

const GB = 1024 ** 3;
const BENCHMARK_TOKENS = 256;

/** Single models: what is known of them, how fast they are, what they need. */
export class ModelsArea {
  readonly #options: ServiceOptions;
  readonly #models: ModelsAtHand;
  readonly #chat: ChatArea;

  constructor(options: ServiceOptions, models: ModelsAtHand, chat: ChatArea) {
    this.#options = options;
    this.#models = models;
    this.#chat = chat;
  }

  async details(id: string, signal: AbortSignal) {
    const at = await this.#models.find(id, signal);
    const { timeoutMs, backends } = this.#options;
    const model = await backends.services.inspect(at.service, at.model, { signal, timeoutMs });
    const { _service, _port, id: model_id, ...facts } = listed({ service: at.service, model });
    const needs = requirementsOf(model);
    return {
      model_id,
      service: _service,
      port: _port,
      ...facts,
      active_parameters_b: factsOf(model).activeB,
      model_memory_gb: needs.modelMemoryGb,
      recommended_vram_gb: needs.recommendedVramGb,
    };
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
      model_id: at.model.id,
      results: [...figures.results],
      overall_avg_tokens_per_sec: figures.overall_avg_tokens_per_sec,
      rating: speedRating(figures.overall_avg_tokens_per_sec),
      token_counts: measured.some(({ isEstimated }) => isEstimated) ? ('estimated' as const) : ('service' as const),
      failed_runs: plan.length - measured.length,
    };
  }

  async files() {
    const { folders, files } = await this.#options.backends.installation.modelFiles();
    const shown = (path: string) => showPath(path, this.#options.home);
    return {
      files: files.map(({ name, path, sizeBytes, format }) => ({
        name,
        path: shown(path),
        size_gb: gigabytes(sizeBytes),
        format,
        tags: tagsOf(name),
      })),
      total_files: files.length,
      total_size_gb: gigabytes(files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)),
      locations: folders.map(shown),
    };
  }

  /** From what a running service says of the model, else from its name alone. */
  async requirements(id: string, signal: AbortSignal) {
    const needs = requirementsOf(await this.#known(id, signal));
    return {
      model_id: id,
      parameters_b: needs.parametersB,
      quantisation: needs.quantisation,
      basis: needs.basis,
      model_memory_gb: needs.modelMemoryGb,
      recommended_vram_gb: needs.recommendedVramGb,
      recommended_ram_gb: needs.recommendedRamGb,
    };
  }

  async #known(id: string, signal: AbortSignal): Promise<ServiceModel> {
    const { states } = await this.#models.recent(signal);
    return states.flatMap(({ models }) => models).find((model) => model.id === id) ?? unknownModel(id);
  }
}

function gigabytes(bytes: number): number {
  return Math.round((bytes / GB) * 1000) / 1000;
}
