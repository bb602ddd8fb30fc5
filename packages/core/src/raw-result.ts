import type { Json } from './json.ts';

/**
 * A result that arrived as JSON text and goes out as the same text: nothing is parsed, rebuilt or rounded on the way.
 * The text is one valid JSON object on one line, already complete for the era of the request.
 */
export class RawResult {
  readonly text: string;
  /** Whether it says that a tool failed, for those who count. */
  readonly isError: boolean;

  constructor(text: string, isError = false) {
    this.text = text;
    this.isError = isError;
  }
}

/** The result as an object, for callers that look inside. */
export function parsedResult(result: Json | RawResult): Json {
  return result instanceof RawResult ? (JSON.parse(result.text) as Json) : result;
}
