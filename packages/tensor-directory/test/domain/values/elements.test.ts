import { DTYPES, FACTS } from '@atoll-mcp/formats/dtypes';
import { expect, test } from 'vitest';
import { elementsOf, toDoubles } from '../../../src/domain/values/elements.ts';

test.each(DTYPES)('%s elements are read from a buffer that begins anywhere', (dtype) => {
  const size = FACTS[dtype].bytes;
  const bytes = Buffer.from(new ArrayBuffer(2 * size + 1), 1);
  expect(elementsOf(dtype, bytes)).toHaveLength(2);
  expect([...toDoubles(dtype, bytes)]).toEqual([0, 0]);
});
