import { describeContract } from '@atoll-mcp/server';
import { expect, test } from 'vitest';
import { notesContract } from '../../server/test/fixtures/notes.ts';
import { compatibility } from '../src/compatibility.ts';

const released = () => structuredClone(describeContract(notesContract));

/** The released contract with one change. */
function changed(
  edit: (tool: { [key: string]: never } & Record<string, never>, all: ReturnType<typeof released>) => void,
) {
  const next = released();
  edit(next.tools[0] as never, next);
  return compatibility(released(), next);
}

test('the same contract, and one with more in it, is compatible', () => {
  expect(compatibility(released(), released())).toEqual([]);
  const more = changed((tool, all) => {
    const input = tool.inputSchema as unknown as { properties: Record<string, unknown> };
    input.properties.tag = { type: 'string' };
    all.tools.push({ ...all.tools[0]!, name: 'note.new' });
  });
  expect(more).toEqual([]);
});

test.each([
  ['a tool that is gone', (_: never, all: { tools: unknown[] }) => void all.tools.shift(), 'the tool is gone'],
  [
    'an argument that is gone',
    (tool: { inputSchema: { properties: object; required: unknown } }) => {
      tool.inputSchema.properties = {};
      tool.inputSchema.required = [];
    },
    'the argument is gone',
  ],
  [
    'an argument of another type',
    (tool: { inputSchema: { properties: { text: { type: string } } } }) => {
      tool.inputSchema.properties.text.type = 'number';
    },
    'string is no longer accepted',
  ],
  [
    'an argument that became required',
    (tool: { inputSchema: { properties: Record<string, object>; required: string[] } }) => {
      tool.inputSchema.properties.tag = { type: 'string' };
      tool.inputSchema.required.push('tag');
    },
    'the argument became required',
  ],
  [
    'an output field that is gone',
    (tool: { outputSchema: { anyOf: { properties: Record<string, unknown> }[] } }) => {
      delete tool.outputSchema.anyOf[0]!.properties.number;
    },
    'the field is gone',
  ],
  ['a code that is gone', (tool: { errors: string[] }) => void tool.errors.splice(0), '"FULL" is gone'],
  [
    'a tool that became destructive',
    (tool: { annotations: { destructiveHint: boolean } }) => {
      tool.annotations = { ...tool.annotations, destructiveHint: true };
    },
    'it became destructive',
  ],
])('%s breaks clients', (_, edit, reason) => {
  expect(changed(edit as never)).toContainEqual(expect.objectContaining({ reason }));
});
