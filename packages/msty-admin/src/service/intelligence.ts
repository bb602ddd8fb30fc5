import { ToolError } from '@atoll-mcp/core';
import { SCORE_BASIS, scoreResponse } from '../domain/models/quality.ts';
import { isEmbedding } from '../domain/models/tags.ts';
import { openedRow } from '../domain/studio/cell.ts';
import { personaAdvice, stackAdvice } from '../domain/studio/studio-advice.ts';
import { allModelsFailed, invalidParameter, noChatModel } from '../errors.ts';
import type { AvailableModel, AvailableModels } from './available-models.ts';
import type { ChatArea } from './chat.ts';
import type { Call, ServiceOptions } from './options.ts';
import type { Studio } from './studio.ts';

const MAX_COMPARED = 5;
const MAX_ROWS = 1000;

type Criteria = 'balanced' | 'quality' | 'speed';

/** Metrics of use, comparisons of models, advice on personas and stacks. */
export class IntelligenceArea {
  readonly #options: ServiceOptions;
  readonly #studio: Studio;
  readonly #models: AvailableModels;
  readonly #chat: ChatArea;

  constructor(options: ServiceOptions, studio: Studio, models: AvailableModels, chat: ChatArea) {
    this.#options = options;
    this.#studio = studio;
    this.#models = models;
    this.#chat = chat;
  }

  async performance(modelId: string | undefined, days: number) {
    const since = new Date(this.#options.now().getTime() - days * 86_400_000).toISOString();
    const metrics = await this.#options.backends.store.metrics({ modelId, since });
    const ids = [...new Set(metrics.map((metric) => metric.modelId))];
    const models = ids.map((id) => {
      const own = metrics.filter((metric) => metric.modelId === id);
      const good = own.filter(({ success }) => success);
      return {
        modelId: id,
        calls: own.length,
        successes: good.length,
        failures: own.length - good.length,
        avgLatencyMs: mean(good.map(({ latencyMs }) => latencyMs)),
        avgTokensPerSec: mean(good.flatMap(({ tokensPerSecond }) => tokensPerSecond ?? [])),
        totalTokens: own.reduce((sum, one) => sum + (one.promptTokens ?? 0) + (one.completionTokens ?? 0), 0),
        lastUsed: own[0]?.at ?? null,
      };
    });
    return { days, totalCalls: metrics.length, models: models.sort((a, b) => b.calls - a.calls) };
  }

  /** One after another: models on the same machine slow each other down. */
  async compare(
    request: {
      prompt: string;
      models: readonly string[] | undefined;
      systemPrompt: string | undefined;
      criteria: Criteria;
    },
    call: Call,
  ) {
    const compared = await this.#compared(request.models, call.signal);
    const responses: Awaited<ReturnType<IntelligenceArea['answerOf']>>[] = [];
    for (const [index, at] of compared.entries()) {
      call.progress({ progress: index, total: compared.length, message: at.model.id });
      responses.push(await this.answerOf(at, request, call.signal));
    }
    call.progress({ progress: compared.length, total: compared.length });
    const good = responses.flatMap((one) => (one.success ? [one] : []));
    if (good.length === 0) throw allModelsFailed(compared.length);
    const winner = good.reduce((best, one) => (one.score > best.score ? one : best));
    return { evaluationCriteria: request.criteria, scoreBasis: SCORE_BASIS, responses, winner: winner.modelId };
  }

  async answerOf(
    at: AvailableModel,
    request: { prompt: string; systemPrompt: string | undefined; criteria: Criteria },
    signal: AbortSignal,
  ) {
    const modelId = at.model.id;
    try {
      const question = { message: request.prompt, systemPrompt: request.systemPrompt };
      const reply = await this.#chat.askModel(at, question, { signal });
      const qualityScore = scoreResponse(request.prompt, reply.text, 'general').score;
      const score = combined(qualityScore, reply.totalMs / 1000, request.criteria);
      return { modelId, success: true as const, reply, qualityScore, score };
    } catch (error) {
      if (!(error instanceof ToolError) || signal.aborted) throw error;
      return { modelId, success: false as const, error: { code: error.code, message: error.message } };
    }
  }

  async knowledgeStacks() {
    const { result, found } = await this.#studio.read((studio) => studio.rows('knowledge_stacks', MAX_ROWS));
    const suggestions = result.flatMap(stackAdvice);
    return { totalStacks: result.length, suggestions, stacks: result.map(openedRow).map(stackSummary), ...found };
  }

  async personas(name: string | undefined) {
    const { result, found } = await this.#studio.read((studio) => studio.rows('personas', MAX_ROWS));
    const chosen = result.filter((persona) => name === undefined || persona.name === name);
    if (name !== undefined && chosen.length === 0) {
      throw invalidParameter(`There is no persona named "${name}"`, 'Use list_personas for the names');
    }
    return { personasAnalysed: chosen.length, suggestions: chosen.flatMap(personaAdvice), ...found };
  }

  async #compared(ids: readonly string[] | undefined, signal: AbortSignal): Promise<AvailableModel[]> {
    if (ids) return Promise.all([...new Set(ids)].map((id) => this.#models.forChat(id, signal)));
    const chat = (await this.#models.all(signal)).filter(({ model }) => !isEmbedding(model));
    if (chat.length === 0) throw noChatModel();
    return chat.slice(0, MAX_COMPARED);
  }
}

/** Quality as it is; speed as one divided by the seconds, so that each further second matters less. */
function combined(quality: number, seconds: number, criteria: Criteria): number {
  const speed = 1 / Math.max(1, seconds);
  const score =
    criteria === 'quality'
      ? quality
      : criteria === 'speed'
        ? 1 / Math.max(0.001, seconds)
        : 0.6 * quality + 0.4 * speed;
  return Math.round(score * 1000) / 1000;
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  return Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10;
}

function stackSummary({ id, title, name, status, updatedAt }: Record<string, unknown>) {
  return { id: id ?? null, title: title ?? name ?? null, status: status ?? null, updatedAt: updatedAt ?? null };
}
