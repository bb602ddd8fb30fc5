import { expect, test } from 'vitest';
import { z } from 'zod';
import { defineConfig } from '../src/config/config.ts';
import { contractFiles } from '../src/docs/contract-files.ts';
import { describeContract } from '../src/docs/describe-contract.ts';
import { renderDocs } from '../src/docs/render-docs.ts';
import { notesContract } from './fixtures/notes.ts';

const markers =
  '# Notes\n<!-- generated:tools -->\nstale words\n<!-- /generated:tools -->\ntext\n<!-- generated:config -->\n<!-- /generated:config -->\nend\n';

test('the tables stand between their markers, and nothing else changes', () => {
  const readme = renderDocs(markers, describeContract(notesContract));
  expect(readme).toContain('| [`note.add`](../../docs/reference.md#noteadd) | Keeps a note and returns its number. |');
  expect(readme).not.toContain('stale words');
  expect(readme).toMatch(/^# Notes\n[\s\S]*\ntext\n[\s\S]*\nend\n$/);
  expect(renderDocs(readme, describeContract(notesContract))).toBe(readme);
});

test('a README without markers is refused', () => {
  expect(() => renderDocs('# Notes', describeContract(notesContract))).toThrow(/generated:tools/);
});

test('a contract is described with its schemas and errors', () => {
  const { tools, resources, prompts } = describeContract(notesContract);
  expect(tools[0]).toMatchObject({ name: 'note.add', errors: ['FULL'], inputSchema: { required: ['text'] } });
  expect(resources).toHaveLength(1);
  expect(prompts).toHaveLength(1);
});

test('a row has the first sentence, which a file name or a number does not end', () => {
  const description = 'Reads `a.csv` at 1.5 times the speed. And more.';
  const contract = { ...notesContract, tools: [{ ...notesContract.tools[0]!, description }] };
  expect(renderDocs(markers, describeContract(contract))).toContain('| Reads `a.csv` at 1.5 times the speed. |');
});

test('a README lists its own settings, and links to those that all programs share', () => {
  const shape = {
    depth: z
      .number()
      .default(3)
      .describe('How deep to look')
      .meta({ env: ['OLD_DEPTH'] }),
  };
  const config = defineConfig({ program: 'notes', prefix: 'NOTES', defaultPort: 1, shape });
  const readme = renderDocs(markers, describeContract(notesContract, config));
  expect(readme).toContain('| `--depth` `OLD_DEPTH` | 3 | How deep to look |');
  expect(readme).toContain('docs/configuration.md');
  expect(readme).not.toContain('--port');
});

test('there is one snapshot per tool, and one for the rest', () => {
  const files = contractFiles(describeContract(notesContract));
  expect(Object.keys(files)).toEqual([
    'contract/_server.json',
    'contract/note-add.json',
    'contract/note-count.json',
    'contract/note-crash.json',
  ]);
  expect(JSON.parse(files['contract/note-add.json']!)).toMatchObject({ name: 'note.add', errors: ['FULL'] });
  expect(JSON.parse(files['contract/_server.json']!)).not.toHaveProperty('tools');
});
