import type { QualityCategory } from './quality.ts';

/** Two prompts for each category, short enough for a small model. */
export const CALIBRATION_PROMPTS: Readonly<Record<QualityCategory, readonly [string, string]>> = {
  general: [
    'Explain in one short paragraph why the sky looks blue during the day.',
    'Name three things to check before a long car journey, and say why each matters.',
  ],
  reasoning: [
    'A bat and a ball cost 1.10 together. The bat costs 1.00 more than the ball. What does the ball cost? Show your steps.',
    'All roses are flowers. Some flowers fade quickly. Does it follow that some roses fade quickly? Explain why or why not.',
  ],
  coding: [
    'Write a function that tells whether a string is a palindrome, ignoring case and spaces. Comment the code.',
    'Write a function that returns the n-th Fibonacci number without recursion. Comment the code.',
  ],
  writing: [
    'Write a polite e-mail of about five sentences that asks to move a meeting from Tuesday to Thursday.',
    'Summarise in three sentences what a public library offers beyond lending books.',
  ],
  analysis: [
    'Compare working from home with working in an office. Name advantages and disadvantages of both.',
    'What are the trade-offs between a monolith and microservices for a team of four?',
  ],
  creative: [
    'Write the opening paragraph of a story in which a lighthouse keeper finds a letter.',
    'Describe the colour green to someone who has never seen it, in four sentences.',
  ],
};

/** Failures of one category from which on work of that kind is better handed to a stronger model. */
const HANDOFF_FAILURES = 3;

interface HandoffCandidate {
  readonly category: string;
  readonly failures: number;
  readonly models: readonly string[];
}

export function handoffCandidates(
  tests: readonly { readonly category: string; readonly modelId: string; readonly passed: boolean }[],
): HandoffCandidate[] {
  const failures = tests.filter(({ passed }) => !passed);
  return [...new Set(failures.map(({ category }) => category))]
    .map((category) => {
      const inCategory = failures.filter((test) => test.category === category);
      return { category, failures: inCategory.length, models: [...new Set(inCategory.map(({ modelId }) => modelId))] };
    })
    .filter((candidate) => candidate.failures >= HANDOFF_FAILURES)
    .sort((a, b) => b.failures - a.failures);
}
