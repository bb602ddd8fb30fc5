import type { ToolError } from '@atoll-mcp/core';
import { cleanText, findTextProblem, type TextProblem, type TextRules } from '../domain/text-rules.ts';
import {
  batchTooLarge,
  controlCharacter,
  emptyText,
  forbiddenPattern,
  noTexts,
  textTooLong,
  tooManyTexts,
} from '../errors.ts';

export interface Limits extends TextRules {
  readonly maxBatchSize: number;
  readonly maxTotalChars: number;
}

/** The texts as they will be embedded, or the reason why they are refused. */
export function checkTexts(texts: readonly string[], limits: Limits): string[] {
  if (texts.length === 0) throw noTexts();
  if (texts.length > limits.maxBatchSize) throw tooManyTexts(texts.length, limits.maxBatchSize);
  const clean = texts.map((text, index) => checked(text, limits, `Text ${index}`, { index }));
  const characters = clean.reduce((sum, text) => sum + text.length, 0);
  if (characters > limits.maxTotalChars) throw batchTooLarge(characters, limits.maxTotalChars);
  return clean;
}

export function checkText(text: string, limits: Limits, name = 'The text'): string {
  return checked(text, limits, name);
}

function checked(text: string, limits: Limits, place: string, details?: { index: number }): string {
  const clean = cleanText(text);
  const problem = findTextProblem(clean, limits);
  if (problem) throw errorFor(problem, place, details);
  return clean;
}

function errorFor(problem: TextProblem, place: string, details: { index: number } | undefined): ToolError {
  switch (problem.kind) {
    case 'empty':
      return emptyText(place, details);
    case 'too-long':
      return textTooLong(place, problem.length, problem.limit, details);
    case 'control-character':
      return controlCharacter(place, problem.codePoint, details);
    case 'forbidden':
      return forbiddenPattern(place, problem.pattern, details);
  }
}
