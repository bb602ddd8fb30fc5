import { copyFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDirectory } from './directory.ts';

const GONE = 'Storage file not found.';

/** What may happen to records.db while the server runs. */
const HAPPENS: [string, (dataDir: string) => unknown][] = [
  ['deleted', (dataDir) => rmSync(join(dataDir, 'records.db'))],
  [
    'replaced by that of another directory',
    async (dataDir) => renameSync(await otherFile(), join(dataDir, 'records.db')),
  ],
  ['overwritten with another', async (dataDir) => copyFileSync(await otherFile(), join(dataDir, 'records.db'))],
  ['overwritten with text', (dataDir) => writeFileSync(join(dataDir, 'records.db'), 'my notes\n'.repeat(9_000))],
  ['emptied', (dataDir) => truncateSync(join(dataDir, 'records.db'))],
  ['deleted with its folder', (dataDir) => rmSync(dataDir, { recursive: true })],
];

async function otherFile(): Promise<string> {
  const { upload, dataDir, close } = await openDirectory();
  await upload('theirs', [7]);
  await close();
  return join(dataDir, 'records.db');
}

test.each(HAPPENS)(
  'after its storage file is %s, every read and write says so and nothing is lost in silence',
  async (_, happens) => {
    const { upload, call, ask, dataDir } = await openDirectory();
    const uuid = await upload('x', [1]);
    await call('upload_model', { name: 'm', description: '', model_code: 'def predict(d): return d["x"]' });
    await happens(dataDir);
    expect((await call('upload_tensor', { name: 'y', description: '', tensor_data: [2] })).body).toEqual({
      error: `An unexpected error occurred while uploading tensor 'y': ${GONE}`,
    });
    expect((await call('upload_model', { name: 'n', description: '', model_weights: [1] })).body).toEqual({
      error: `An unexpected error occurred while uploading model 'n': ${GONE}`,
    });
    for (const tool of ['delete_tensor', 'delete_model', 'get_tensor', 'get_model', 'describe_tensor']) {
      for (const given of ['x', uuid]) {
        const { body, isError } = await call(tool, { name_or_uuid: given });
        expect(body, tool).toEqual({ success: false, message: GONE });
        expect(isError).toBe(true);
      }
    }
    for (const tool of ['update_tensor_metadata', 'update_model_metadata']) {
      expect((await call(tool, { name_or_uuid: 'x', metadata_updates: { description: 'new' } })).body).toEqual({
        success: false,
        message: GONE,
      });
    }
    expect((await call('list_tensors')).body).toMatchObject({ tensors: [], message: GONE });
    expect((await call('list_models')).body).toMatchObject({ models: [], message: GONE });
    expect((await call('run_model', { model: 'm', inputs: ['x'] })).body.message).toBe(GONE);
    expect(await ask('Find tensor x')).toBe(GONE);
    expect(await ask('how many tensors are there?')).toBe(GONE);
  },
);
