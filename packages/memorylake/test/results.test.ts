import { createPythonRuntime } from '@atoll-mcp/sandbox';
import { afterAll, expect, test, vi } from 'vitest';
import { leaveOut } from '../../../tooling/test/needs.mjs';
import { type Body, connect } from './open-client.ts';
import { cleanUp } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

test('files that JavaScript writes into out/ come back, pictures as pictures', async () => {
  const { call, client } = await connect();
  const { executor_id } = await call('create_memory_code_runner', { language: 'javascript' });
  const bytes = JSON.stringify([...Buffer.from(PNG, 'base64')]);
  const messages: string[] = [];
  const code = `writeBytes("out/dot.png", new Uint8Array(${bytes}).buffer); writeText("out/a/ports.csv", "port,n\\nAveiro,1\\n");
    writeText("out/fake.png", "words"); for (const path of ["out/../up.txt"]) { try { writeText(path, "x"); } catch {} }
    console.log("done");`;
  const answer = (await client.callTool(
    { name: 'run_memory_code', arguments: { executor_id, code } },
    {
      onprogress: ({ message }) => messages.push(message ?? ''),
    },
  )) as Body;
  const { result } = answer.structuredContent;
  expect(result).toMatchObject({ success: true, output: 'done\n' });
  expect(result.files.map(({ name, mime_type }: Body) => [name, mime_type]).sort()).toEqual([
    ['a/ports.csv', 'text/csv'],
    ['dot.png', 'image/png'],
    ['fake.png', 'application/octet-stream'],
  ]);
  expect(result.files[0]).toHaveProperty('download_url', null);
  expect(answer.content.filter(({ type }: Body) => type === 'image')).toEqual([
    { type: 'image', data: PNG, mimeType: 'image/png' },
  ]);
  const link = answer.content.find(({ name }: Body) => name === 'a/ports.csv');
  expect(link).toMatchObject({ type: 'resource_link', mimeType: 'text/csv', size: 16 });
  const { contents } = await client.readResource({ uri: link.uri });
  expect(contents).toEqual([{ uri: link.uri, mimeType: 'text/csv', text: 'port,n\nAveiro,1\n' }]);
  // A further run returns what it wrote and nothing of before.
  expect(await call('run_memory_code', { executor_id, code: '1' })).not.toHaveProperty('files');
  await expect(client.readResource({ uri: 'memory-result://result-none' })).rejects.toThrow('Resource not found');
});

test('kept files are memories that know their code and inputs', async () => {
  const { call, client } = await connect();
  const input = await call('add_memory', { name: 'fees.csv', text: 'port,fee\nAveiro,3\nFaro,4\n' });
  const { executor_id } = await call('create_memory_code_runner', { language: 'javascript' });
  const code = `const rows = readText(get_memory_path("${input.id}", "fees.csv")).trim().split("\\n").slice(1);
    writeText("out/double.csv", "port,twice\\n" + rows.map((row) => row.split(",")[0] + "," + 2 * row.split(",")[1]).join("\\n"));
    writeText("out/empty.txt", "");`;
  const { files } = await call('run_memory_code', { executor_id, code, keep: true, collection: 'computed' });
  const [table, empty] = files;
  expect(table).toMatchObject({ name: 'double.csv', memory_id: expect.stringMatching(/^ds-/) });
  expect(empty).toMatchObject({ name: 'empty.txt', not_kept: expect.any(String) });
  expect(empty).not.toHaveProperty('memory_id');
  const known = (await call('fetch_memory', { memory_ids: [table.memory_id] }))[table.memory_id];
  expect(known).toMatchObject({ collection: 'computed', made_by: { language: 'javascript', code } });
  expect(known.made_by.inputs).toMatchObject([{ id: input.id, name: 'fees.csv' }]);
  const sum = await call('query_memory_tables', { sql: 'SELECT SUM(twice) FROM double' });
  expect(sum.rows).toEqual([[14]]);
  const sql = 'SELECT port, fee FROM fees ORDER BY fee DESC';
  const saved = await call('query_memory_tables', { sql, limit: 1, save_as: 'sorted.csv' });
  expect(saved).toMatchObject({ rows: [['Faro', 4]], n: 1, truncated: true, files: [{ name: 'sorted.csv' }] });
  const { contents } = (await client.readResource({ uri: saved.files[0].uri })) as Body;
  expect(contents[0].text).toBe('port,fee\r\nFaro,4\r\nAveiro,3\r\n');
  expect(await call('query_memory_tables', { sql, save_as: '../x.csv' })).toMatch(/save_as: must be a filename/);
});

test('links, pipes and too large files in out/ are refused with a reason, and printing is told as it happens', async (context) => {
  const runtime = createPythonRuntime();
  const { available } = await runtime.probe();
  await runtime.close();
  if (!available) return leaveOut(context, 'python');
  const { call, client } = await connect();
  const { executor_id } = await call('create_memory_code_runner', {});
  const code = `
import os, time
for make in (lambda: os.symlink('/etc/passwd', 'out/link.txt'), lambda: os.mkfifo('out/pipe')):
    try:
        make()
    except OSError as error:
        print(error.strerror)
with open('out/large.bin', 'wb') as file:
    file.truncate(40 << 20)
with open('out/small.txt', 'w') as file:
    file.write('words')
print('first', flush=True)
time.sleep(0.4)
print('second', flush=True)
`;
  const told: string[] = [];
  const answer = (await client.callTool(
    { name: 'run_memory_code', arguments: { executor_id, code } },
    {
      onprogress: ({ message }) => told.push(message ?? ''),
    },
  )) as Body;
  const { result } = answer.structuredContent;
  expect(result.files.map(({ name }: Body) => name)).toEqual(['small.txt']);
  const refused = Object.fromEntries(result.refused_files.map(({ name, reason }: Body) => [name, reason]));
  expect(refused['large.bin']).toContain('bytes together');
  // Where the sandbox lets code make them at all.
  if ('link.txt' in refused) expect(refused['link.txt']).toBe('It is a link');
  if ('pipe' in refused) expect(refused.pipe).toBe('It is not a regular file');
  expect(told.join('')).toContain('first');
  const missing = await call('run_memory_code', { executor_id, code: 'import matplotlib.pyplot' });
  expect(missing.error.message).toContain('chart_memory_tables');
});
