export interface BenchmarkRun {
  readonly promptLength: number;
  readonly latencyMs: number;
  readonly completionTokens: number;
}

export interface BenchmarkResult {
  readonly promptLength: number;
  readonly avgTokensPerSec: number;
  readonly avgLatencyMs: number;
}

interface BenchmarkFigures {
  readonly results: readonly BenchmarkResult[];
  readonly overallAvgTokensPerSec: number;
}

const FILLER =
  'the river runs past old mills and quiet fields while clouds move over the hills and people walk home before the rain'.split(
    ' ',
  );

/** A prompt of about `tokens` tokens: plain short words are one token each for nearly every tokeniser. */
export function benchmarkPrompt(tokens: number): string {
  const question = 'Summarise the following text in a few sentences.'.split(' ');
  const words = Array.from({ length: tokens }, (_, index) => question[index] ?? FILLER[index % FILLER.length]);
  return words.join(' ');
}

/** Averages per prompt length; tokens per second over all tokens and all time, so that short runs weigh little. */
export function benchmarkFigures(runs: readonly BenchmarkRun[]): BenchmarkFigures {
  const lengths = [...new Set(runs.map(({ promptLength }) => promptLength))];
  const results = lengths.map((length) => {
    const same = runs.filter(({ promptLength }) => promptLength === length);
    return {
      promptLength: length,
      avgTokensPerSec: speed(same),
      avgLatencyMs: Math.round(sum(same.map(({ latencyMs }) => latencyMs)) / same.length),
    };
  });
  const overall = sum(results.map((result) => result.avgTokensPerSec)) / Math.max(1, results.length);
  return { results, overallAvgTokensPerSec: oneDecimal(overall) };
}

export function speedRating(tokensPerSecond: number): 'Excellent' | 'Very Good' | 'Good' | 'Acceptable' | 'Slow' {
  if (tokensPerSecond >= 50) return 'Excellent';
  if (tokensPerSecond >= 30) return 'Very Good';
  if (tokensPerSecond >= 15) return 'Good';
  return tokensPerSecond >= 5 ? 'Acceptable' : 'Slow';
}

export function tokensPerSecond(tokens: number, milliseconds: number): number {
  return oneDecimal((tokens * 1000) / Math.max(1, milliseconds));
}

/** For services that count nothing: about four characters make a token of English text. */
export function estimatedTokens(text: string): number {
  return Math.max(1, Math.round(text.length / 4));
}

function speed(runs: readonly BenchmarkRun[]): number {
  return tokensPerSecond(sum(runs.map((run) => run.completionTokens)), sum(runs.map((run) => run.latencyMs)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
