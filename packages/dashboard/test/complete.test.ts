import { expect, test } from 'vitest';
import { completeProgram, type ProgramLanguage } from '../web/src/lib/programs/complete.ts';

const tools = [
  {
    name: 'search_memory',
    title: 'Search the lake',
    inputSchema: {
      type: 'object',
      properties: {
        limit: { type: 'integer' },
        query: { type: 'string', description: 'The question' },
        kind: { enum: ['file', 'note'] },
      },
      required: ['query'],
    },
  },
  { name: 'list-items', inputSchema: { type: 'object', properties: { page: { type: 'integer' } } } },
];

const at = (text: string, language: ProgramLanguage = 'javascript') => {
  const found = completeProgram(text, language, tools);
  return found && { typed: text.slice(found.from), labels: found.options.map(({ label }) => label) };
};

test('names of tools follow "tools.", those that are no identifiers left out', () => {
  expect(at('const a = await tools.sea')).toEqual({ typed: 'sea', labels: ['search_memory'] });
  expect(at('mytools.sea')).toBeUndefined();
});

test.each([
  ['tools.search_memory({', '', ['query', 'limit', 'kind']],
  ['tools.search_memory({ query: "a {(", li', 'li', ['limit', 'kind']],
  ["await Promise.all([1].map(() => tools.search_memory({ query: 'it\\'s', ", '', ['limit', 'kind']],
  ['// it\'s {\ntools["list-items"]({', '', ['page']],
  ['tools.search_memory({ kind: "n', 'n', ['file', 'note']],
])('in %s the arguments are offered, required ones first', (text, typed, labels) => {
  expect(at(text)).toEqual({ typed, labels });
});

test.each([
  'tools.search_memory(',
  'tools.search_memory({ query: { ',
  'tools.search_memory({ query: "x" }) + {',
  'f({',
  '',
])('in %s nothing is offered', (text) => {
  expect(at(text)).toBeUndefined();
});

test('in Python arguments are given by name', () => {
  expect(at('tools.search_memory(query="a", ', 'python')).toEqual({ typed: '', labels: ['limit', 'kind'] });
  expect(at("# it's\ntools.search_memory(kind='", 'python')).toEqual({ typed: '', labels: ['file', 'note'] });
  expect(completeProgram('tools.search_memory(', 'python', tools)?.options[0]).toMatchObject({ apply: 'query=' });
});
