import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { notesContract, notesServer } from '../../server/test/fixtures/notes.ts';
import { connectInMemory } from '../src/connect.ts';
import { contractSuite } from '../src/contract-suite.ts';
import { originalSuite } from '../src/original-suite.ts';

const packageDir = mkdtempSync(join(tmpdir(), 'atoll-kit-'));
afterAll(() => rmSync(packageDir, { recursive: true }));
mkdirSync(join(packageDir, 'src/tools'), { recursive: true });
for (const name of ['note-add', 'note-count', 'note-crash'])
  writeFileSync(join(packageDir, `src/tools/${name}.ts`), '');
writeFileSync(join(packageDir, 'src/errors.ts'), "throw new ToolError('FULL', '')");
writeFileSync(join(packageDir, 'package.json'), JSON.stringify({ version: notesContract.version }));

contractSuite(notesContract, { packageDir });

for (const era of ['legacy', 'modern'] as const) {
  originalSuite(`notes, ${era}`, () => connectInMemory(notesServer(), { era }), [
    {
      title: 'a note is added and counted',
      calls: [
        { tool: 'note.add', arguments: { text: 'one' }, answer: { number: 0 } },
        {
          tool: 'note.add',
          arguments: ([first]) => ({ text: `after ${(first as { number: number }).number}` }),
          answer: { number: expect.any(Number) },
        },
        { tool: 'note.count', arguments: {}, answer: 'There are 2 notes.' },
        { tool: 'note.add', arguments: {}, answer: { code: 'INVALID', message: expect.any(String) }, isError: true },
      ],
    },
  ]);
}
