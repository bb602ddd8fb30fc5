/** A completion as far as it has come. */
export interface Completion {
  readonly text: string;
  /** Text of a model that thinks before it answers, when the service keeps it apart. */
  readonly reasoning: string;
  readonly finishReason: string | null;
  readonly usage: Usage | null;
  readonly model: string | null;
}

export interface Usage {
  readonly prompt: number | null;
  readonly completion: number;
  readonly total: number | null;
}

type Part = Record<string, unknown>;

export const emptyCompletion: Completion = { text: '', reasoning: '', finishReason: null, usage: null, model: null };

/** Adds what one answer or one event of a stream says; undefined when it is not a completion. */
export function addToCompletion(sofar: Completion, body: unknown): Completion | undefined {
  if (!isPart(body) || isPart(body.error) || typeof body.error === 'string') return undefined;
  const choices = Array.isArray(body.choices) ? body.choices : undefined;
  if (!choices && !isPart(body.usage)) return undefined;
  const choice = isPart(choices?.[0]) ? choices[0] : {};
  const said = isPart(choice.message) ? choice.message : isPart(choice.delta) ? choice.delta : {};
  return {
    text: sofar.text + textOf(said.content ?? choice.text),
    reasoning: sofar.reasoning + textOf(said.reasoning_content ?? said.reasoning ?? said.thinking),
    finishReason: typeof choice.finish_reason === 'string' ? choice.finish_reason : sofar.finishReason,
    usage: usageOf(body.usage) ?? sofar.usage,
    model: typeof body.model === 'string' ? body.model : sofar.model,
  };
}

/** How a service refuses a prompt that its model's context cannot hold; undefined when it refuses something else. */
export function contextExceeded(body: unknown): { prompt: number | null; context: number | null } | undefined {
  const error = isPart(body) && isPart(body.error) ? body.error : {};
  if (error.type !== 'exceed_context_size_error' && error.code !== 'context_length_exceeded') return undefined;
  return { prompt: count(error.n_prompt_tokens), context: count(error.n_ctx) };
}

/** The text: the answer, or the reasoning of a model that stopped after it. */
export function completionText({ text, reasoning }: Completion): string {
  return text.trim() === '' ? reasoning.trim() : text;
}

/** Cut off by the limit: as the service reports, or else by the count of tokens. */
export function isTruncated({ finishReason, usage }: Completion, maxTokens: number): boolean {
  if (finishReason === null) return (usage?.completion ?? 0) >= maxTokens;
  return finishReason === 'length' || finishReason === 'max_tokens';
}

/** Takes server-sent events out of text that arrives in pieces. */
export function eventReader(): (piece: string) => string[] {
  let rest = '';
  return (piece) => {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop() ?? '';
    return lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim());
  };
}

function usageOf(usage: unknown): Usage | null {
  if (!isPart(usage)) return null;
  const completion = count(usage.completion_tokens);
  if (completion === null) return null;
  const prompt = count(usage.prompt_tokens);
  return { prompt, completion, total: count(usage.total_tokens) ?? (prompt === null ? null : prompt + completion) };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isPart(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

function isPart(value: unknown): value is Part {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
