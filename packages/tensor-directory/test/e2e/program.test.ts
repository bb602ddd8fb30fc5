import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectHttp, connectStdio, connectV1 } from '@atoll-mcp/testing';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { temporaryFolder } from '../directory.ts';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
beforeAll(() => {
  if (!existsSync(program)) throw new Error('Build the package first: pnpm build');
});

type Body = Record<string, unknown>;

async function open(dataDir: string, era: 'legacy' | 'modern' = 'legacy') {
  const client = await connectStdio({ command: process.execPath, args: [program, '--data-dir', dataDir], era });
  onTestFinished(() => client.close());
  const call = async (name: string, args: Body = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Body;
  return { client, call };
}

async function openHttp() {
  const child = spawn(process.execPath, [program, '--http', '--port', '0', '--data-dir', temporaryFolder()], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const url = await new Promise<string>((resolve) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      const entry = JSON.parse(line) as { msg?: string; url?: string };
      if (entry.msg === 'listening') resolve(String(entry.url));
    });
  });
  const client = await connectHttp(url);
  onTestFinished(() => client.close());
  return async (name: string, args: Body = {}) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Body;
}

/** The program itself, without a client library between: requests go in as lines, and it can be killed at any moment. */
async function start(dataDir: string) {
  const child: ChildProcess = spawn(process.execPath, [program, '--data-dir', dataDir], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  // What is on its way when it is killed is lost; that is what is tried.
  child.stdin!.on('error', () => {});
  const waiting = new Map<number, (result: Body) => void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const { id, result } = JSON.parse(line) as { id?: number; result?: Body };
    if (id !== undefined && result) waiting.get(id)?.(result);
  });
  let next = 1;
  const request = (method: string, params: Body) => {
    const id = next++;
    child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return new Promise<Body>((resolve) => waiting.set(id, resolve));
  };
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '0' },
  });
  child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const call = async (name: string, args: Body) =>
    (await request('tools/call', { name, arguments: args })).structuredContent as Body;
  const kill = async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { call, kill };
}

const numbers = (seed: number) => Array.from({ length: 2_000 }, (_, i) => seed + i / 7);

describe('the program', () => {
  test('keeps every upload it acknowledged when it is killed in the middle of more', async () => {
    const dataDir = temporaryFolder();
    const { call, kill } = await start(dataDir);
    const acknowledged: string[] = [];
    for (let i = 0; i < 400; i++) {
      void call('upload_tensor', { name: `t${i}`, description: '', tensor_data: numbers(i) }).then(({ name }) =>
        acknowledged.push(String(name)),
      );
    }
    await expect.poll(() => acknowledged.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(20);
    await kill();
    const after = await open(dataDir);
    const kept = await after.call('list_tensors', { limit: 1000 });
    const rows = kept.tensors as { user_name: string; uuid: string }[];
    const names = rows.map(({ user_name }) => user_name);
    expect(acknowledged.filter((name) => !names.includes(name))).toEqual([]);
    for (const { user_name, uuid } of rows) {
      const { values } = await after.call('get_tensor', { name_or_uuid: uuid, slice: '-1' });
      expect(values).toBe(Number(user_name.slice(1)) + 1_999 / 7);
    }
    expect(await after.call('upload_tensor', { name: 'again', description: '', tensor_data: [1] })).toHaveProperty(
      'uuid',
    );
  });

  test('twice on one folder loses nothing and gives no version number twice', async () => {
    const dataDir = temporaryFolder();
    const [left, right] = await Promise.all([open(dataDir), open(dataDir)]);
    const uploads = Array.from({ length: 30 }, (_, i) =>
      [left, right].map((side, s) =>
        side.call('upload_tensor', { name: 'shared', description: '', tensor_data: [i, s] }),
      ),
    );
    const uuids = (await Promise.all(uploads.flat())).map(({ uuid }) => uuid);
    expect(new Set(uuids).size).toBe(60);
    const { versions } = (await left.call('list_versions', { name: 'shared' })) as {
      versions: { version: number; uuid: string }[];
    };
    expect(versions.map(({ version }) => version)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(await right.call('list_tensors', { limit: 1 })).toMatchObject({ total_items_in_collection: 60 });
  });

  test('twice on one folder, the same values are never lost between an upload and a deletion', async () => {
    const dataDir = temporaryFolder();
    const [left, right] = await Promise.all([open(dataDir), open(dataDir)]);
    const work = async (side: typeof left, rounds: number) => {
      for (let i = 0; i < rounds; i++) {
        const { uuid } = await side.call('upload_tensor', { name: 'same', description: '', tensor_data: [1.5, 2.5] });
        expect(await side.call('get_tensor', { name_or_uuid: uuid })).toMatchObject({ values: [1.5, 2.5] });
        await side.call('delete_tensor', { name_or_uuid: uuid });
      }
    };
    await Promise.all([work(left, 25), work(right, 25)]);
    expect(await left.call('list_tensors')).toMatchObject({ total_items_in_collection: 0 });
  });

  test('serves both eras and older clients alike', async () => {
    const dataDir = temporaryFolder();
    const upload = { name: 'upload_tensor', arguments: { name: 'x', description: '', tensor_data: [[1, 2]] } };
    const legacy = await open(dataDir);
    await legacy.client.callTool(upload);
    const modern = await open(dataDir, 'modern');
    const names = async (client: typeof legacy.client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(modern.client)).toEqual(await names(legacy.client));
    expect(await modern.call('get_tensor', { name_or_uuid: 'x' })).toMatchObject({ values: [[1, 2]] });
    const v1 = await connectV1({ command: process.execPath, args: [program, '--data-dir', dataDir] });
    onTestFinished(() => v1.close());
    await v1.listTools();
    // The first SDK checks every answer, failures too, against the schema that was listed.
    expect(await v1.callTool({ name: 'list_tensors', arguments: { limit: 0 } })).toMatchObject({ isError: true });
    expect(
      await v1.callTool({ name: 'upload_tensor', arguments: { name: 'x', description: '', tensor_data: [] } }),
    ).toMatchObject({ isError: true });
    expect(await v1.callTool({ name: 'delete_tensor', arguments: { name_or_uuid: 'y' } })).toMatchObject({
      structuredContent: { success: false },
    });
    expect(await v1.callTool({ name: 'query_tensor_directory', arguments: { prompt: "shape of 'x'" } })).toMatchObject({
      structuredContent: { result: expect.stringContaining('(1, 2)') },
    });
    expect(await v1.callTool({ name: 'plot_tensor', arguments: { name_or_uuid: 'x' } })).toMatchObject({
      content: [{ type: 'text' }, { type: 'image', mimeType: 'image/png' }],
    });
  });

  test('serves over HTTP and says where', async () => {
    const call = await openHttp();
    expect(await call('upload_tensor', { name: 'x', description: '', tensor_data: [1] })).toMatchObject({ name: 'x' });
  });

  test('names every bad setting and ends with 2', async () => {
    const child = spawn(process.execPath, [program, '--max-tensor-bytes', 'lots', '--port', '99999'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TENSOR_DIRECTORY_LLM_URL: 'nowhere' },
    });
    let stderr = '';
    child.stderr!.on('data', (part) => {
      stderr += part;
    });
    const [code] = await once(child, 'close');
    expect(code).toBe(2);
    for (const name of ['--max-tensor-bytes', '--port', 'TENSOR_DIRECTORY_LLM_URL']) expect(stderr).toContain(name);
  });

  test('takes import folders from flags, more than one, and from the environment', async () => {
    const [one, two, three, dataDir] = [temporaryFolder(), temporaryFolder(), temporaryFolder(), temporaryFolder()];
    for (const [folder, name] of [
      [one, 'one'],
      [two, 'two'],
      [three, 'three'],
    ] as const)
      writeFileSync(join(folder, `${name}.csv`), '1,2\n');
    const imported = async (args: string[], env: Record<string, string>, name: string) => {
      const client = await connectStdio({
        command: process.execPath,
        args: [program, '--data-dir', dataDir, ...args],
        env: { PATH: process.env.PATH ?? '', ...env },
      });
      const { structuredContent } = await client.callTool({
        name: 'import_tensors',
        arguments: { path: `${name}.csv` },
      });
      await client.close();
      return (structuredContent as { success: boolean }).success;
    };
    const both = ['--import-root', one, '--import-root', two];
    expect(await imported(both, {}, 'one')).toBe(true);
    expect(await imported(both, {}, 'two')).toBe(true);
    expect(await imported(both, {}, 'three')).toBe(false);
    expect(await imported([], { TENSOR_DIRECTORY_IMPORT_ROOT: three }, 'three')).toBe(true);
  });

  test.each([
    ['stdio', async () => (await open(temporaryFolder())).call],
    ['HTTP', openHttp],
  ])('takes a million numbers in one message over %s', { timeout: 60_000 }, async (_, connect) => {
    const call = await connect();
    const rows: unknown[][] = Array.from({ length: 1_000 }, (_, i) =>
      Array.from({ length: 1_000 }, (_, j) => i * 1_000 + j),
    );
    const upload = (name: string, more: Body = {}) =>
      call('upload_tensor', { name, description: '', tensor_data: rows, ...more });
    const last = async (name: string) =>
      (await call('get_tensor', { name_or_uuid: name, slice: '999, 997:' })) as { dtype: string; values: unknown[] };

    await upload('whole');
    expect(await last('whole')).toMatchObject({ dtype: 'int64', values: [999_997, 999_998, 999_999] });
    await upload('half', { dtype: 'float32' });
    expect(await last('half')).toMatchObject({ dtype: 'float32', values: [999_997, 999_998, 999_999] });
    expect(await upload('bytes', { dtype: 'uint8' })).toMatchObject({
      error: expect.stringContaining('tensor_data[0][256] is 256, which does not fit uint8'),
    });
    rows[999]![998] = 'NaN';
    rows[999]![999] = 0.1234567890123456;
    await upload('broken up');
    expect(await last('broken up')).toMatchObject({ dtype: 'float64', values: [999_997, 'NaN', 0.1234567890123456] });
    rows[999]![999] = '9007199254740993';
    rows[999]![998] = 1;
    await upload('exact');
    expect(await last('exact')).toMatchObject({ dtype: 'int64', values: [999_997, 1, '9007199254740993'] });
    rows[999]!.pop();
    expect(await upload('ragged')).toMatchObject({
      error: expect.stringContaining('tensor_data[999] has 999 items where a list of 1000 items is expected'),
    });
    rows.pop();
    await call('upload_model', { name: 'weights', description: '', model_weights: rows });
    expect(await call('get_model', { name_or_uuid: 'weights' })).toMatchObject({
      weights_dtype: 'int64',
      weights_shape: [999, 1_000],
    });
  });

  test('takes them where addresses are scarce, too', requires(process.platform === 'linux', 'linux'), async () => {
    const start = `ulimit -v 8000000; exec "${process.execPath}" "${program}" --data-dir "${temporaryFolder()}"`;
    const client = await connectStdio({ command: 'sh', args: ['-c', start] });
    onTestFinished(() => client.close());
    const values = Array.from({ length: 300_000 }, (_, i) => i / 7);
    await client.callTool({ name: 'upload_tensor', arguments: { name: 'big', description: '', tensor_data: values } });
    const { structuredContent } = await client.callTool({
      name: 'get_tensor',
      arguments: { name_or_uuid: 'big', slice: '299999' },
    });
    expect(structuredContent).toMatchObject({ values: 299_999 / 7 });
  });
});
