import { ToolError } from '@atoll-mcp/core';
import { CALIBRATION_PROMPTS, handoffCandidates } from '../domain/models/calibration.ts';
import { PASSING_SCORE, type QualityCategory, SCORE_BASIS, scoreResponse } from '../domain/models/quality.ts';
import { redactText } from '../domain/secrets/redact.ts';
import { missingParameter } from '../errors.ts';
import type { AvailableModel, AvailableModels } from './available-models.ts';
import type { ChatArea } from './chat.ts';
import type { Call, ServiceOptions } from './options.ts';

const MAX_RECENT = 500;
const RESPONSE_SHOWN = 2000;

/** Tests of models with built-in prompts, their history, and what it says about hand-offs. */
export class CalibrationArea {
  readonly #options: ServiceOptions;
  readonly #models: AvailableModels;
  readonly #chat: ChatArea;

  constructor(options: ServiceOptions, models: AvailableModels, chat: ChatArea) {
    this.#options = options;
    this.#models = models;
    this.#chat = chat;
  }

  async test(
    request: {
      modelId: string | undefined;
      category: QualityCategory;
      customPrompt: string | undefined;
      threshold: number;
    },
    call: Call,
  ) {
    const at = await this.#models.forChat(request.modelId, call.signal);
    const prompts = request.customPrompt ? [request.customPrompt] : CALIBRATION_PROMPTS[request.category];
    const outcomes: ({ ok: Awaited<ReturnType<CalibrationArea['runOne']>> } | { failure: ToolError })[] = [];
    for (const [index, prompt] of prompts.entries()) {
      call.progress({ progress: index, total: prompts.length, message: request.category });
      outcomes.push(
        await this.runOne(at, prompt, request, call.signal).then(
          (ok) => ({ ok }),
          (error: unknown) => {
            if (!(error instanceof ToolError) || call.signal.aborted) throw error;
            return { failure: error };
          },
        ),
      );
    }
    call.progress({ progress: prompts.length, total: prompts.length });
    const tests = outcomes.flatMap((outcome) => ('ok' in outcome ? [outcome.ok] : []));
    const failures = outcomes.flatMap((outcome) => ('failure' in outcome ? [outcome.failure] : []));
    if (tests.length === 0 && failures[0]) throw failures[0];
    const passed = tests.filter((test) => test.passed).length;
    return {
      modelId: at.model.id,
      category: request.category,
      passingThreshold: request.threshold,
      scoreBasis: SCORE_BASIS,
      tests,
      failures: failures.map(({ code, message }) => ({ code, message })),
      summary: {
        total: prompts.length,
        passed,
        failed: prompts.length - passed,
        averageScore:
          Math.round((tests.reduce((sum, test) => sum + test.qualityScore, 0) / tests.length) * 1000) / 1000,
      },
    };
  }

  async runOne(
    at: AvailableModel,
    prompt: string,
    { category, threshold }: { category: QualityCategory; threshold: number },
    signal: AbortSignal,
  ) {
    const reply = await this.#chat.askModel(at, { message: prompt }, { signal });
    const quality = scoreResponse(prompt, reply.text, category);
    const passed = quality.score >= threshold;
    await this.#options.backends.store.addCalibration({
      id: this.#options.newId(),
      modelId: at.model.id,
      category,
      at: this.#options.now().toISOString(),
      prompt: redactText(prompt),
      qualityScore: quality.score,
      passed,
      latencyMs: reply.totalMs,
    });
    return {
      prompt,
      response: reply.text.slice(0, RESPONSE_SHOWN),
      qualityScore: quality.score,
      passed,
      criteria: { ...quality.criteria },
      latencyMs: reply.totalMs,
    };
  }

  evaluate(prompt: string, response: string, category: QualityCategory) {
    const { score, criteria, notes } = scoreResponse(prompt, response, category);
    return {
      qualityScore: score,
      passed: score >= PASSING_SCORE,
      scoreBasis: SCORE_BASIS,
      category,
      criteria: { ...criteria },
      notes: [...notes],
    };
  }

  async triggers(request: { analyseRecent: boolean; addPattern: string | undefined; patternType: string | undefined }) {
    const { backends, now, newId } = this.#options;
    if (request.patternType !== undefined && request.addPattern === undefined) {
      throw missingParameter('pattern_type needs add_pattern', 'Give the pattern that should be handed off');
    }
    if (request.addPattern !== undefined) {
      await backends.store.addTrigger({
        id: newId(),
        pattern: redactText(request.addPattern),
        type: request.patternType ?? 'custom',
        createdAt: now().toISOString(),
      });
    }
    const stored = (await backends.store.triggers()).map(({ pattern, type, createdAt }) => ({
      pattern,
      type,
      source: 'added' as const,
      failures: null,
      models: [],
      createdAt,
    }));
    const recent = request.analyseRecent ? await backends.store.calibrations({ limit: MAX_RECENT }) : [];
    const learned = handoffCandidates(recent).map(({ category, failures, models }) => ({
      pattern: `${category} tasks`,
      type: category,
      source: 'calibration' as const,
      failures,
      models: [...models],
      createdAt: null,
    }));
    return {
      triggers: [...learned, ...stored],
      testsAnalysed: recent.length,
      added: request.addPattern !== undefined,
      scoreBasis: SCORE_BASIS,
    };
  }

  async history(filter: { modelId: string | undefined; category: string | undefined; limit: number }) {
    const records = await this.#options.backends.store.calibrations(filter);
    const history = records.map(({ id: _, at: timestamp, ...record }) => ({ ...record, timestamp }));
    return { history, count: history.length, scoreBasis: SCORE_BASIS };
  }
}
