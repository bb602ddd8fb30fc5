import { expect, test } from 'vitest';
import { wrapOutputSchema } from '../../src/protocol/rev-2025-11-25/output-schema.ts';

test('a schema that is no object becomes that of its result', () => {
  expect(wrapOutputSchema({ type: 'array' })).toEqual({
    type: 'object',
    properties: { result: { type: 'array' } },
    required: ['result'],
  });
});

test.each([
  [{ $ref: '#' }, { $ref: '#/properties/result' }],
  [{ items: { $ref: '#/$defs/a' } }, { items: { $ref: '#/properties/result/$defs/a' } }],
  [{ anyOf: [{ $dynamicRef: '#/x' }] }, { anyOf: [{ $dynamicRef: '#/properties/result/x' }] }],
  [{ $ref: 'https://example.com/x#/a' }, { $ref: 'https://example.com/x#/a' }],
  [{ const: { $ref: '#' } }, { const: { $ref: '#' } }],
  [{ properties: { const: { $ref: '#' } } }, { properties: { const: { $ref: '#/properties/result' } } }],
  [{ properties: { $ref: { type: 'string' } } }, { properties: { $ref: { type: 'string' } } }],
  [{ items: { $id: 'other', $ref: '#/a' } }, { items: { $id: 'other', $ref: '#/a' } }],
])('references in %j still point to the same place', (schema, moved) => {
  expect(wrapOutputSchema(schema)).toMatchObject({ properties: { result: moved } });
});
