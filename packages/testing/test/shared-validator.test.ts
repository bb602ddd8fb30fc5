import { expect, test } from 'vitest';
import { sharedValidator } from '../src/shared-validator.ts';

const numbers = () => ({ type: 'object' as const, properties: { n: { type: 'number' } }, required: ['n'] });

test('equal schemas are compiled once, and still refuse what does not fit', () => {
  const [one, other] = [sharedValidator.getValidator(numbers()), sharedValidator.getValidator(numbers())];
  expect(one).toBe(other);
  expect(one({ n: 1 })).toMatchObject({ valid: true, data: { n: 1 } });
  expect(one({ n: 'x' })).toMatchObject({ valid: false, errorMessage: expect.stringContaining('number') });
});

test('different schemas are checked apart, also where they have the same name', () => {
  const named = (type: string) =>
    sharedValidator.getValidator({ $id: 'answer', type: 'object', properties: { n: { type } } } as never);
  const [number, text] = [named('number'), named('string')];
  expect([number({ n: 1 }).valid, number({ n: 'x' }).valid]).toEqual([true, false]);
  expect([text({ n: 1 }).valid, text({ n: 'x' }).valid]).toEqual([false, true]);
});
