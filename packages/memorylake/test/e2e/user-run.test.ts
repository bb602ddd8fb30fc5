import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { connectStdio } from '@atoll-mcp/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { leaveOut } from '../../../../tooling/test/needs.mjs';
import { docx, paragraph, pdf, pdfText, rows, xlsx } from '../make-files.ts';
import { afterTests, cleanUp, newFolder } from '../open-test-lake.ts';
import { cli, memorylake } from './programs.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 60_000 });
afterAll(cleanUp);

/** A folder as people have them, questions in two languages, and an answer computed on a file that was found. */
test('a person fills a lake, asks in English and Chinese, and computes on what was found', async (context) => {
  const docs = await newFolder();
  const data = await newFolder();
  await Promise.all([
    writeFile(
      join(docs, 'harbour-sales-2025.xlsx'),
      xlsx({
        Berths: rows([
          ['month', 'berth', 'fee'],
          ...Array.from({ length: 36 }, (_, at) => [
            `2025-${String((at % 12) + 1).padStart(2, '0')}`,
            `B${(at % 3) + 1}`,
            100 + at,
          ]),
        ]),
      }),
    ),
    writeFile(
      join(docs, 'minutes.docx'),
      docx(
        `${paragraph('Council meeting', 'Heading1')}${paragraph('Mayor Lindqvist said the ferry to Gotland will run all winter.')}`,
      ),
    ),
    writeFile(
      join(docs, 'crane-manual.pdf'),
      pdf([
        pdfText([[72, 700, 'Safety first.']]),
        pdfText([[72, 700, 'The KX-200 crane must be greased every 250 hours.']]),
      ]),
    ),
    writeFile(
      join(docs, '年度报告.txt'),
      '本公司2025年营业收入为12.5亿元，同比增长15%。\n董事长王芳表示，新码头将于明年五月启用。\n',
    ),
    writeFile(join(docs, 'recipes.md'), '# Soup\nBoil the leeks for twenty minutes.\n'),
  ]);
  const added = JSON.parse((await memorylake('add', docs, '--json', '--data-dir', data)).stdout) as {
    memories: { status: string }[];
  };
  expect(added.memories.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'ready', 'ready']);

  const client = await connectStdio({ command: process.execPath, args: [cli, '--data-dir', data] });
  afterTests(() => client.close());
  const call = async <T>(name: string, args: Record<string, unknown> = {}): Promise<T> => {
    const { structuredContent, content } = await client.callTool({ name, arguments: args }, { timeout: 240_000 });
    if (!structuredContent) throw new Error(JSON.stringify(content));
    return (structuredContent as { result: T }).result;
  };
  interface Found {
    mode: string;
    results: { id: string; name: string; summary: string; snippets: { place: unknown }[] }[];
  }
  const ask = async (query: string) => call<Found>('search_memory', { query });

  const ferry = await ask('Does the boat to Gotland operate in the cold season?');
  expect(ferry).toMatchObject({ mode: 'hybrid', results: [{ name: 'minutes.docx' }] });
  expect((await ask('How often does the KX-200 need grease?')).results[0]).toMatchObject({
    name: 'crane-manual.pdf',
    snippets: [{ place: { page: 2 } }],
  });
  expect((await ask('新码头什么时候启用？')).results[0]).toMatchObject({
    name: '年度报告.txt',
    summary: expect.stringContaining('五月'),
  });
  expect((await ask('公司的营业收入是多少')).results[0]?.name).toBe('年度报告.txt');
  const sales = (await ask('fees paid per berth and month')).results[0]!;
  expect(sales.name).toBe('harbour-sales-2025.xlsx');

  const runtime = createPythonRuntime();
  const { available } = await runtime.probe();
  await runtime.close();
  if (!available) return leaveOut(context, 'python');
  const { executor_id } = await call<{ executor_id: string }>('create_memory_code_runner');
  const code = `import pandas as pd\npath = get_memory_path("${sales.id}", "${sales.name}")\ndf = pd.read_excel(path, sheet_name="Berths")\nprint(int(df["fee"].sum()), df["berth"].nunique())`;
  const result = await call<{ success: boolean; output: string }>('run_memory_code', { executor_id, code });
  expect(result).toMatchObject({ success: true, output: '4230 3\n' });
  const again = await call<{ output: string }>('run_memory_code', { executor_id, code: 'print(len(df))' });
  expect(again.output).toBe('36\n');
});
