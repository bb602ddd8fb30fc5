import type { Concept } from './english.ts';
import type { Input, Token } from './parser.ts';

/** The same prompt without some of its tokens. They keep their places, so that what was read of the others still holds. */
export function withoutTokens(input: Input, from: number, to: number): Input {
  const tokens = input.tokens.map((each, i) => (i >= from && i < to ? { ...each, ...NOTHING } : each));
  return { ...input, ...unread(), tokens, before: { memo: input.memo, from, to } };
}

/** For an input of which nothing was read yet. */
export function unread(): Pick<Input, 'memo' | 'work' | 'seen'> {
  return { memo: new Map(), work: { count: 0 }, seen: { at: -1 } };
}

const NOTHING: Pick<Token, 'kind' | 'text' | 'concepts' | 'slips'> = {
  kind: 'mark',
  text: '',
  concepts: new Set<Concept>(['FILLER']),
  slips: new Set(),
};
