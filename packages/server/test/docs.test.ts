import { expect, test } from 'vitest';
import { describeContract } from '../src/docs/describe-contract.ts';
import { renderDocs } from '../src/docs/render-docs.ts';
import { notesContract } from './fixtures/notes.ts';

const markers =
  '# Notes\n<!-- generated:tools -->\nstale words\n<!-- /generated:tools -->\ntext\n<!-- generated:config -->\n<!-- /generated:config -->\nend\n';

test('the tables stand between their markers, and nothing else changes', () => {
  const readme = renderDocs(markers, describeContract(notesContract));
  expect(readme.replaceAll(/ +/g, ' ')).toContain(
    '| `note.add` | Keeps a note and returns its number. | `text` | `FULL` |',
  );
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
