import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { silentLogger } from '@atoll-mcp/core';
import { afterAll, expect, test, vi } from 'vitest';
import { findFiles } from '../src/commands/find-files.ts';
import { openLake } from '../src/server.ts';
import { uploadedFile } from '../src/service/library.ts';
import { docx, msg, paragraph, zip } from './make-files.ts';
import { afterTests, cleanUp, configFor, newFolder } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

async function newLake(...flags: string[]) {
  const lake = await openLake(configFor(await newFolder(), '--no-embed', ...flags), { log: silentLogger });
  afterTests(() => lake.close());
  const named = async () =>
    (await lake.list({ limit: 100 })).items.map(({ name, status }) => `${name} ${status}`).sort();
  return { lake, named };
}

const part = (name: string, content: string | Buffer, extra = '') =>
  `--b\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"${extra}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`;
const mail = (subject: string, ...parts: string[]) =>
  `From: ada@example.org\r\nTo: ben@example.org\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nPlease see the plan.\r\n${parts.join('')}--b--\r\n`;

test('what is attached to a mail is a memory that points to it, and goes with it', async () => {
  const { lake, named } = await newLake('--readers', '1');
  const plan = docx(paragraph('The pier is painted green in April.'));
  const inner = mail('forwarded', part('prices.csv', 'item,price\nrope,12\n'))
    .replaceAll('--b', '--c')
    .replace('=b', '=c');
  const added = await lake.add(
    uploadedFile('offer.eml', Buffer.from(mail('Offer', part('plan.docx', plan), part('forwarded.eml', inner)))),
  );
  expect(await named()).toEqual(['forwarded.eml ready', 'offer.eml ready', 'plan.docx ready', 'prices.csv ready']);
  const { results } = await lake.search({ query: 'pier painted' });
  const found = results.find(({ memory }) => memory.name === 'plan.docx')!;
  expect(found.memory).toMatchObject({ partOf: added.memory.id });
  await lake.remove([added.memory.id]);
  expect(await named()).toEqual([]);
});

test('what is attached to a mail of Outlook is a memory that points to it', async () => {
  const { lake, named } = await newLake();
  const texts = { '0037': 'Offer', '1000': 'Please see the plan and the prices.', '0C1A': 'Ada' };
  const plan = docx(paragraph('The pier is painted green in April.'));
  const prices = Buffer.from('item,price\nrope,12\nanchor,80\n');
  const added = await lake.add(
    uploadedFile(
      'offer.msg',
      msg(texts, [
        ['plan.docx', plan],
        ['prices.csv', prices],
        ['photo.bin', Buffer.from([0, 1, 2, 3, 0, 1, 2, 3])],
      ]),
    ),
  );
  expect(await named()).toEqual(['offer.msg ready', 'photo.bin failed', 'plan.docx ready', 'prices.csv ready']);
  expect((await lake.read(added.memory.id, {})).text).toContain('Please see the plan and the prices.');
  const { results } = await lake.search({ query: 'pier painted' });
  expect(results.find(({ memory }) => memory.name === 'plan.docx')!.memory).toMatchObject({ partOf: added.memory.id });
});

test('what is attached to the mails of a mailbox are memories that point to it', async () => {
  const { lake, named } = await newLake();
  const start = 'From ada@example.org Mon May  6 10:00:00 2024\r\n';
  const mails = [
    mail('Ropes', part('ropes.csv', 'item,price\nrope,12\n')),
    mail('Anchors', part('anchors.txt', 'Two.')),
  ];
  const added = await lake.add(uploadedFile('all.mbox', Buffer.from(mails.map((one) => start + one).join('\r\n'))));
  expect(await named()).toEqual(['all.mbox ready', 'anchors.txt ready', 'ropes.csv ready']);
  const [anchors] = (await lake.list({ limit: 9 })).items.filter(({ name }) => name === 'anchors.txt');
  expect(anchors).toMatchObject({ partOf: added.memory.id });
});

test('an attachment that is also a file of its own stays when the mail goes', async () => {
  const { lake, named } = await newLake();
  await lake.add(uploadedFile('plan.txt', Buffer.from('The pier is green.')));
  const { memory } = await lake.add(
    uploadedFile('offer.eml', Buffer.from(mail('Offer', part('plan-copy.txt', 'The pier is green.')))),
  );
  await lake.remove([memory.id]);
  expect(await named()).toEqual(['plan.txt ready']);
});

test('an attachment that was moved to another collection is no longer changed through its mail', async () => {
  const { lake } = await newLake();
  const send = (plan: string) =>
    lake.add(uploadedFile('offer.eml', Buffer.from(mail('Offer', part('plan.txt', plan), part('rope.txt', 'Rope')))));
  const plans = async () => {
    const { items } = await lake.list({ limit: 100 });
    const all = items
      .filter(({ name }) => name === 'plan.txt')
      .map(async ({ id, collection = 'default' }) => {
        return `${collection}: ${(await lake.read(id, {})).text}`;
      });
    return (await Promise.all(all)).sort();
  };
  const { memory } = await send('The pier is green.');
  const [plan] = (await lake.list({ limit: 100 })).items.filter(({ name }) => name === 'plan.txt');
  await lake.update(plan!.id, { collection: 'board' });
  await send('The pier is blue.');
  expect(await plans()).toEqual(['board: The pier is green.', 'default: The pier is blue.']);
  await lake.update((await lake.list({ limit: 100 })).items.find(({ name }) => name === 'rope.txt')!.id, {
    collection: 'board',
  });
  await lake.remove([memory.id]);
  expect(await plans()).toEqual(['board: The pier is green.']);
  expect((await lake.list({ limit: 100 })).items.map(({ name }) => name).sort()).toEqual(['plan.txt', 'rope.txt']);
});

test('archives are opened on request, also those in archives, and hidden files are left out', async () => {
  const { lake, named } = await newLake();
  const folder = await newFolder();
  const inner = zip({ 'deep/depth.txt': 'Six metres at low water.' });
  const letter = docx(paragraph('Dear harbour master'));
  await writeFile(
    join(folder, 'all.zip'),
    zip({ 'letters/letter.docx': letter, 'inner.zip': inner, '__MACOSX/x.txt': 'no', '.hidden': 'no' }),
  );
  await mkdir(join(folder, 'packed'));
  await writeFile(join(folder, 'packed', 'tides.csv'), 'day,height\nMonday,2.5\n');
  execFileSync('tar', ['-czf', join(folder, 'packed.tar.gz'), '-C', folder, 'packed']);
  await writeFile(join(folder, 'note.txt.gz'), gzipSync('A note by itself.'));
  expect((await findFiles([folder], { recursive: false })).archives).toEqual([]);
  const { archives, files } = await findFiles([folder], { recursive: true, archives: true });
  expect(archives.length).toBe(3);
  expect(files.length).toBe(1);
  for (const path of archives) await lake.addArchive(path, path.slice(folder.length + 1), {});
  expect(await named()).toEqual(['depth.txt ready', 'letter.docx ready', 'note.txt ready', 'tides.csv ready']);
  for (const path of archives) await lake.addArchive(path, path.slice(folder.length + 1), {});
  expect((await named()).length).toBe(4);
});

test('archives that are broken, locked, too deep or bombs are refused in words, and the lake lives', async () => {
  const { lake, named } = await newLake('--max-expanded-mb', '8');
  const folder = await newFolder();
  const reason = async (name: string, content: Buffer) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return lake.addArchive(path, name, {}).then(
      (added) => `${added.length} added`,
      (error: Error) => error.message,
    );
  };
  const good = zip({ 'a.txt': 'words' });
  expect(await reason('cut.zip', good.subarray(0, good.length - 30))).toContain('It is broken');
  expect(await reason('bomb.gz', gzipSync(Buffer.alloc(64 << 20)))).toContain('expands to far more');
  expect(await reason('cut.tar.gz', gzipSync(Buffer.alloc(4096, 7)).subarray(0, 20))).toContain('It is broken');
  let nested = zip({ 'a.txt': 'words' });
  for (let depth = 0; depth < 4; depth++) nested = zip({ 'nested.zip': nested });
  expect(await reason('nested.zip', nested)).toContain('more than 3 deep');
  const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`${at}.txt`, '']));
  expect(await reason('many.zip', zip(many))).toContain('more than 2000 files');
  expect(await reason('note.txt.zip', Buffer.from('only text'))).toContain('It is broken: its name says archive');
  expect(await reason('good.zip', good)).toBe('1 added');
  expect(await named()).toEqual(['a.txt ready']);
});
