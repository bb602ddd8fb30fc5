import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { createInstallationFinder } from '../../src/backends/installation-local.ts';
import { isMsty } from '../../src/backends/running-processes.ts';
import type { Surroundings } from '../../src/domain/platform-paths.ts';
import { connect } from '../fixtures/client.ts';
import { modelService } from '../fixtures/model-service.ts';
import { CANONICAL, dataFolder, emptyHome, sharedStorage, studioHome } from '../fixtures/studio.ts';

function write(path: string, content: string | Buffer = ''): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const finder = (place: Partial<Surroundings> & { home: string }, databasePath?: string) =>
  createInstallationFinder({ platform: 'linux', seesSystemFolders: false, ...place, databasePath });

const candidates = async (found: ReturnType<typeof finder>) => {
  const paths: string[] = [];
  for await (const { path } of found.databaseCandidates()) paths.push(path);
  return paths;
};

/** An Electron archive with nothing in it but a package.json. */
function asar(version: string): Buffer {
  const file = JSON.stringify({ name: 'msty', version });
  const json = JSON.stringify({ files: { 'package.json': { size: file.length, offset: '0' } } });
  const padded = Math.ceil(json.length / 4) * 4;
  const head = Buffer.alloc(16);
  head.writeUInt32LE(4, 0);
  head.writeUInt32LE(padded + 8, 4);
  head.writeUInt32LE(padded + 4, 8);
  head.writeUInt32LE(json.length, 12);
  return Buffer.concat([head, Buffer.from(json.padEnd(padded, '\0')), Buffer.from(file)]);
}

describe('on macOS', () => {
  test('the app, its version, its data and the settings of Claude are found', async () => {
    const home = emptyHome();
    const app = join(home, 'Applications', 'MstyStudio.app');
    write(
      join(app, 'Contents', 'Info.plist'),
      '<dict><key>CFBundleShortVersionString</key>\n<string>2.4.1</string></dict>',
    );
    const data = join(home, 'Library', 'Application Support', 'MstyStudio');
    const database = write(join(data, CANONICAL), 'x');
    const found = finder({ platform: 'darwin', home });
    expect(await found.find()).toMatchObject({ app, data, version: '2.4.1', isRunning: null });
    expect(await candidates(found)).toEqual([database]);
    expect(found.claudeConfigPath()).toBe(join(home, 'Library/Application Support/Claude/claude_desktop_config.json'));
  });
});

describe('on Windows', () => {
  test('the app, its version, its data and the settings of Claude are found', async () => {
    const home = emptyHome();
    const appData = join(home, 'Roaming');
    const localAppData = join(home, 'Local');
    const app = write(join(localAppData, 'Programs', 'MstyStudio', 'MstyStudio.exe'));
    write(join(localAppData, 'Programs', 'MstyStudio', 'resources', 'app.asar'), asar('2.9.6'));
    const legacy = write(join(appData, 'Msty', 'msty.db'), 'x');
    const found = finder({ platform: 'win32', home, appData, localAppData });
    expect(await found.find()).toMatchObject({ app, data: join(appData, 'Msty'), version: '2.9.6' });
    expect(await candidates(found)).toEqual([legacy]);
    expect(found.claudeConfigPath()).toBe(join(appData, 'Claude', 'claude_desktop_config.json'));
  });

  test('the usual folders stand in where the variables are not set', async () => {
    const home = emptyHome();
    const data = join(home, 'AppData', 'Roaming', 'MstyStudio');
    write(join(data, 'x'));
    expect(await finder({ platform: 'win32', home }).find()).toMatchObject({ data });
  });
});

describe('on Linux', () => {
  test('an AppImage tells its version by its name', async () => {
    const home = emptyHome();
    const app = write(join(home, 'Applications', 'MstyStudio_2.5.0_amd64.AppImage'));
    expect(await finder({ home }).find()).toMatchObject({ app, version: '2.5.0', data: null });
  });

  test(
    'a running Msty is seen, and this server is not taken for one',
    requires(process.platform === 'linux', 'linux'),
    async () => {
      const home = emptyHome();
      const program = join(home, 'MstyStudio');
      copyFileSync('/bin/sleep', program);
      chmodSync(program, 0o755);
      expect((await finder({ home }).find()).isRunning).toBe(false);
      const msty = spawn(program, ['60']);
      onTestFinished(() => void msty.kill('SIGKILL'));
      await once(msty, 'spawn');
      await expect.poll(async () => (await finder({ home }).find()).isRunning, { timeout: 30_000 }).toBe(true);
      expect(isMsty('/usr/bin/msty-admin')).toBe(false);
      expect(isMsty('Msty Studio Helper (Renderer)')).toBe(true);
    },
  );
});

describe('the database', () => {
  test('is looked for in order: the usual file, others beside it, that of Msty 1, SharedStorage last', async () => {
    const home = emptyHome();
    const data = dataFolder(home);
    const other = write(join(data, 'File System', '001', 't', '00', '00000003'), 'x');
    const legacy = write(join(data, 'msty.db'), 'x');
    const shared = sharedStorage(data);
    expect(await candidates(finder({ home }))).toEqual([other, legacy, shared]);
    const usual = write(join(data, CANONICAL), 'x');
    expect(await candidates(finder({ home }))).toEqual([usual, other, legacy, shared]);
    expect(await candidates(finder({ home }, '~/mine.db'))).toEqual([join(home, 'mine.db')]);
  });

  test('is found by what it holds when the usual place holds something else', async () => {
    const { home, path } = studioHome();
    const elsewhere = join(dataFolder(home), 'File System', '001', 'p', '00', '00000007');
    mkdirSync(join(elsewhere, '..'), { recursive: true });
    copyFileSync(path, elsewhere);
    copyFileSync(join(dataFolder(home), 'SharedStorage'), path);
    const { call } = await connect({ home });
    expect((await call('detect_msty_installation')).data).toMatchObject({
      paths: { database: '$HOME/.config/MstyStudio/File System/001/p/00/00000007' },
    });
    expect((await call('read_msty_database', { query_type: 'stats' })).data).toMatchObject({ total_conversations: 2 });
  });
});

describe('model files', () => {
  test('are found as single files, as folders of parts, and by the names Ollama gives them', async () => {
    const home = emptyHome();
    const models = join(dataFolder(home), 'models');
    truncateSync(write(join(models, 'tiny.Q4_K_M.gguf')), 2 * 1024 ** 3);
    write(
      join(
        dataFolder(home),
        'models-mlx',
        'hub',
        'models--mlx-community--Qwen3-4B-4bit',
        'snapshots',
        'abc',
        'model.safetensors',
      ),
      'abcd',
    );
    const layers = [
      { mediaType: 'application/vnd.ollama.image.model', digest: 'sha256:aa', size: 1000 },
      { mediaType: 'application/vnd.ollama.image.params', digest: 'sha256:bb', size: 24 },
    ];
    write(join(home, '.ollama/models/manifests/registry.ollama.ai/library/llama3/8b'), JSON.stringify({ layers }));
    write(join(home, '.ollama/models/blobs/sha256-aa'), 'weights');
    const { call } = await connect({ home });
    expect((await call('list_local_model_files')).data).toMatchObject({
      total_files: 3,
      files: [
        {
          name: 'tiny.Q4_K_M.gguf',
          size_gb: 2,
          format: 'gguf',
          path: '$HOME/.config/MstyStudio/models/tiny.Q4_K_M.gguf',
        },
        { name: 'llama3:8b', format: 'ollama' },
        { name: 'mlx-community/Qwen3-4B-4bit', format: 'safetensors' },
      ],
    });
    expect((await call('get_model_providers')).data).toMatchObject({
      local_models: [{}, {}, {}],
      remote_providers: [],
      database_read: false,
    });
  });
});

describe('health', () => {
  test('is critical without Msty, and says that nothing was checked', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('analyse_msty_health')).data).toMatchObject({
      overall_status: 'critical',
      database_status: { exists: false, size_mb: null, integrity: null },
    });
  });

  test('is that of the database and the services where only the database is given', async () => {
    const { path } = studioHome();
    const local = await modelService();
    const { call } = await connect({ home: emptyHome(), databasePath: path, aiPort: local.port });
    expect((await call('analyse_msty_health')).data).toMatchObject({
      overall_status: 'healthy',
      database_status: { exists: true, integrity: 'ok' },
      recommendations: [expect.stringContaining('not in its usual place')],
    });
    const { call: callAlone } = await connect({ home: emptyHome(), databasePath: path });
    expect((await callAlone('analyse_msty_health')).data).toMatchObject({ overall_status: 'warning' });
  });

  test('is critical with a damaged database', async () => {
    const { home, path } = studioHome();
    truncateSync(path, 5000);
    const { call } = await connect({ home });
    expect((await call('analyse_msty_health')).data).toMatchObject({
      overall_status: 'critical',
      database_status: { exists: true, integrity: 'damaged' },
      recommendations: expect.arrayContaining([expect.stringContaining('damaged')]),
    });
  });

  test('shows where everything was looked for', async () => {
    const { home } = studioHome();
    const { call } = await connect({ home });
    expect((await call('scan_database_locations')).data).toMatchObject({
      database: '$HOME/.config/MstyStudio/File System/000/t/00/00000000',
      databases: expect.arrayContaining([
        {
          path: '$HOME/.config/MstyStudio/SharedStorage',
          kind: 'chromium_shared_storage',
          size_mb: expect.any(Number),
          chosen: false,
        },
        expect.objectContaining({ kind: 'drizzle', chosen: true }),
      ]),
    });
  });

  test('includes the machine', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('get_system_resources')).data).toMatchObject({
      cpu_count: expect.any(Number),
      memory: { total_gb: expect.any(Number), available_gb: expect.any(Number) },
      disk: { total_gb: expect.any(Number), free_gb: expect.any(Number) },
    });
  });
});
