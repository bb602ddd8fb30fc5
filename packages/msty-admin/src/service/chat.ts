import { ToolError } from '@atoll-mcp/core';
import { tokensPerSecond } from '../domain/benchmark.ts';
import { isTruncated, spokenText, type Usage } from '../domain/completion.ts';
import { emptyCompletion, truncatedCompletion } from '../errors.ts';
import type { ModelAtHand, ModelsAtHand } from './models-at-hand.ts';
import type { Call, ServiceOptions } from './options.ts';

export interface Question {
  readonly message: string;
  readonly systemPrompt?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** Only the speed counts: an answer that was cut off will do, and a blank one of tokens that were counted. */
  readonly isForSpeed?: boolean;
  /** Whether the call counts among the measurements of the model. */
  readonly isTracked?: boolean;
}

export interface Spoken {
  readonly text: string;
  readonly modelId: string;
  readonly usage: Usage | null;
  readonly totalMs: number;
  readonly tokensPerSecond: number | null;
}

interface AskOptions {
  readonly signal: AbortSignal;
  readonly onText?: (characters: number) => void;
}

/** Talking to a model. An answer is whole and not empty, or it is a failure. */
export class ChatArea {
  readonly #options: ServiceOptions;
  readonly #models: ModelsAtHand;

  constructor(options: ServiceOptions, models: ModelsAtHand) {
    this.#options = options;
    this.#models = models;
  }

  async ask(model: string | undefined, question: Question, options: AskOptions): Promise<Spoken> {
    return this.askModel(await this.#models.forChat(model, options.signal), question, options);
  }

  /** The same in the seed's shape, with progress as the text grows. */
  async answer(model: string | undefined, question: Question, { signal, progress }: Call) {
    const onText = (characters: number) =>
      progress({ progress: characters, message: `${characters} characters so far` });
    return asAnswer(await this.ask(model, question, { signal, onText }));
  }

  async askModel(at: ModelAtHand, question: Question, options: AskOptions): Promise<Spoken> {
    const begun = this.#options.clock();
    try {
      const spoken = await this.#complete(at, question, options, begun);
      await this.#record(at, question, this.#options.clock() - begun, spoken);
      return spoken;
    } catch (error) {
      if (error instanceof ToolError && !options.signal.aborted) {
        await this.#record(at, question, this.#options.clock() - begun, null);
      }
      throw error;
    }
  }

  async #complete({ service, model }: ModelAtHand, question: Question, options: AskOptions, begun: number) {
    const { message, systemPrompt, temperature = 0.7, maxTokens = 2048, isForSpeed = false } = question;
    let reported = 0;
    const completion = await this.#options.backends.services.chat(
      service,
      {
        model: model.id,
        messages: [
          ...(systemPrompt ? [{ role: 'system' as const, content: systemPrompt }] : []),
          { role: 'user' as const, content: message },
        ],
        temperature,
        maxTokens,
      },
      {
        signal: options.signal,
        timeoutMs: this.#options.chatTimeoutMs,
        onText: (characters) => {
          if (characters <= reported) return;
          reported = characters;
          options.onText?.(characters);
        },
      },
    );
    const totalMs = Math.max(1, Math.round(this.#options.clock() - begun));
    const text = spokenText(completion);
    const { usage } = completion;
    if (!isForSpeed && isTruncated(completion, maxTokens)) throw truncatedCompletion(model.id, maxTokens);
    if (text.trim() === '' && !(isForSpeed && usage?.completion)) throw emptyCompletion(model.id);
    return {
      text,
      modelId: model.id,
      usage,
      totalMs,
      tokensPerSecond: usage ? tokensPerSecond(usage.completion, totalMs) : null,
    };
  }

  async #record({ service, model }: ModelAtHand, question: Question, latencyMs: number, spoken: Spoken | null) {
    if (question.isTracked === false) return;
    await this.#options.backends.store.addMetric({
      id: this.#options.newId(),
      modelId: model.id,
      service: service.name,
      at: this.#options.now().toISOString(),
      success: spoken !== null,
      latencyMs: Math.round(latencyMs),
      promptTokens: spoken?.usage?.prompt ?? null,
      completionTokens: spoken?.usage?.completion ?? null,
      tokensPerSecond: spoken?.tokensPerSecond ?? null,
    });
  }
}

/** In the shape the seed gives to an answer. */
export function asAnswer({ text, modelId, usage, totalMs, tokensPerSecond: speed }: Spoken) {
  return {
    response: text,
    model: modelId,
    tokens: { prompt: usage?.prompt ?? null, completion: usage?.completion ?? null, total: usage?.total ?? null },
    timing: { total_ms: totalMs, tokens_per_second: speed },
  };
}
