import { ToolError } from '@atoll-mcp/core';
import { tokensPerSecond } from '../domain/models/benchmark.ts';
import { completionText, isTruncated, type Usage } from '../domain/models/completion.ts';
import { emptyCompletion, truncatedCompletion } from '../errors.ts';
import type { AvailableModel, AvailableModels } from './available-models.ts';
import type { Call, ServiceOptions } from './options.ts';

export interface Question {
  readonly message: string;
  readonly systemPrompt?: string | undefined;
  readonly temperature?: number | undefined;
  readonly maxTokens?: number | undefined;
  /** For measurements of speed: a truncated answer is accepted, and a blank one if the service counted its tokens. */
  readonly isForSpeed?: boolean;
  /** Whether the call is recorded in the metrics of the model. */
  readonly isTracked?: boolean;
}

export interface Reply {
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

/** Chats with models. A truncated or empty answer is an error. */
export class ChatArea {
  readonly #options: ServiceOptions;
  readonly #models: AvailableModels;

  constructor(options: ServiceOptions, models: AvailableModels) {
    this.#options = options;
    this.#models = models;
  }

  async ask(model: string | undefined, question: Question, options: AskOptions): Promise<Reply> {
    return this.askModel(await this.#models.forChat(model, options.signal), question, options);
  }

  /** The same with progress reports as the text grows. */
  async answer(model: string | undefined, question: Question, { signal, progress }: Call) {
    const onText = (characters: number) =>
      progress({ progress: characters, message: `${characters} characters so far` });
    return this.ask(model, question, { signal, onText });
  }

  async askModel(at: AvailableModel, question: Question, options: AskOptions): Promise<Reply> {
    const begun = this.#options.clock();
    try {
      const reply = await this.#complete(at, question, options, begun);
      await this.#record(at, question, this.#options.clock() - begun, reply);
      return reply;
    } catch (error) {
      if (error instanceof ToolError && !options.signal.aborted) {
        await this.#record(at, question, this.#options.clock() - begun, null);
      }
      throw error;
    }
  }

  async #complete({ service, model }: AvailableModel, question: Question, options: AskOptions, begun: number) {
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
    const text = completionText(completion);
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

  async #record({ service, model }: AvailableModel, question: Question, latencyMs: number, reply: Reply | null) {
    if (question.isTracked === false) return;
    await this.#options.backends.store.addMetric({
      id: this.#options.newId(),
      modelId: model.id,
      service: service.name,
      at: this.#options.now().toISOString(),
      success: reply !== null,
      latencyMs: Math.round(latencyMs),
      promptTokens: reply?.usage?.prompt ?? null,
      completionTokens: reply?.usage?.completion ?? null,
      tokensPerSecond: reply?.tokensPerSecond ?? null,
    });
  }
}
