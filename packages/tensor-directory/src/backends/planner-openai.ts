import { tryParseJson, withDeadline } from '@atoll-mcp/core';
import { z } from 'zod';
import { promptNotRead } from '../errors.ts';
import type { PromptPlanner } from './interface.ts';

const TIMEOUT_MS = 30_000;
const MAX_PROMPT = 4_000;

const completion = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1) });

interface OpenAiPlannerOptions {
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

/** Any endpoint that speaks OpenAI's chat completions: Msty, Ollama, LM Studio, Gemini. */
export class OpenAiPlanner implements PromptPlanner {
  readonly #url: string;
  readonly #model: string;
  readonly #apiKey: string | undefined;

  constructor(options: OpenAiPlannerOptions) {
    this.#url = `${options.url.replace(/\/+$/, '')}/chat/completions`;
    this.#model = options.model;
    this.#apiKey = options.apiKey;
  }

  async plan(prompt: string, task: string, signal?: AbortSignal): Promise<unknown> {
    return jsonIn(
      await withDeadline(TIMEOUT_MS, signal, (ended) => this.#ask(prompt.slice(0, MAX_PROMPT), task, ended)),
    );
  }

  async #ask(prompt: string, task: string, signal: AbortSignal): Promise<string> {
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        redirect: 'error',
        signal,
        headers: {
          'content-type': 'application/json',
          ...(this.#apiKey && { authorization: `Bearer ${this.#apiKey}` }),
        },
        body: JSON.stringify({
          model: this.#model,
          temperature: 0,
          response_format: { type: 'json_object' },
          messages: [
            { role: 'system', content: task },
            { role: 'user', content: prompt },
          ],
        }),
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      return completion.parse(await response.json()).choices[0]!.message.content;
    } catch (cause) {
      throw promptNotRead('the language model could not be reached or gave no answer.', cause);
    }
  }
}

/** Models like to wrap JSON in a code fence or a sentence. */
function jsonIn(text: string): unknown {
  return tryParseJson(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
}
