import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fillTemplate, missingVariables, placeholdersIn } from '../../src/domain/template.ts';
import { connect } from '../fixtures/client.ts';
import { modelService, whole } from '../fixtures/model-service.ts';
import { dataFolder, emptyHome, SECRETS, studioHome } from '../fixtures/studio.ts';

describe('placeholders', () => {
  test('are found once each, in order of appearance', () => {
    expect(placeholdersIn('{{b}} {{a}} {{ b }} {{größe}} {{not closed} {single} {{}} {{1x}}')).toEqual([
      'b',
      'a',
      'größe',
    ]);
  });

  test('are filled in one pass, so that values are never filled again', () => {
    expect(fillTemplate('{{a}}-{{b}}', { a: '{{b}}', b: '$& $1 {{a}}' })).toBe('{{b}}-$& $1 {{a}}');
    expect(fillTemplate('{{n}} {{o}}', { n: 3, o: { x: 1 } })).toBe('3 {"x":1}');
  });

  test('are missing when nobody gave a value, whatever every object inherits', () => {
    expect(missingVariables('{{constructor}} {{toString}} {{a}} {{b}}', { a: '', b: null })).toEqual([
      'constructor',
      'toString',
      'b',
    ]);
  });
});

describe('templates', () => {
  test('are kept, listed by use, and run with the preferred model', async () => {
    const service = await modelService({ models: ['other:8b', 'preferred:8b'], chat: whole('Looks fine.') });
    const { call } = await connect({ home: emptyHome(), aiPort: service.port });
    await call('create_prompt_template', { name: 'unused', template: 'Hello' });
    await call('create_prompt_template', {
      name: 'greet',
      template: 'Hello {{name}}',
      preferred_model: 'preferred:8b',
      category: 'writing',
    });
    const run = await call('run_prompt_template', { template_name: 'greet', variables: { name: '{{name}} & $&' } });
    expect(run.data).toMatchObject({
      response: 'Looks fine.',
      model: 'preferred:8b',
      prompt: 'Hello {{name}} & $&',
      template_name: 'greet',
    });
    expect(service.bodies[0]).toMatchObject({
      model: 'preferred:8b',
      messages: [{ role: 'user', content: 'Hello {{name}} & $&' }],
    });
    expect(
      (await call('run_prompt_template', { template_name: 'greet', variables: { name: 'x' }, model: 'other:8b' })).data,
    ).toMatchObject({ model: 'other:8b' });
    expect((await call('list_prompt_templates')).data).toMatchObject({
      count: 2,
      templates: [
        { name: 'greet', template: 'Hello {{name}}', category: 'writing', variables: ['name'], use_count: 2 },
        { name: 'unused', category: 'general', variables: [], use_count: 0 },
      ],
    });
    expect((await call('list_prompt_templates', { category: 'writing' })).data).toMatchObject({ count: 1 });
  });

  test('are shown without keys, and run with them', async () => {
    const local = await modelService();
    const { call } = await connect({ home: emptyHome(), aiPort: local.port });
    const key = 'sk-template-0123456789';
    const answers = [
      await call('create_prompt_template', { name: 'k', template: `Use ${key} for {{x}}` }),
      await call('list_prompt_templates'),
      await call('run_prompt_template', { template_name: 'k', variables: { x: 'this' } }),
    ];
    for (const answer of answers) {
      expect(answer.success).toBe(true);
      expect(JSON.stringify(answer)).not.toContain(key);
    }
    expect(JSON.stringify(local.bodies)).toContain(key);
  });

  test('name what is missing before any model is asked', async () => {
    const { call } = await connect({ home: emptyHome() });
    await call('create_prompt_template', { name: 't', template: '{{a}} {{b}} {{c}}' });
    expect((await call('run_prompt_template', { template_name: 't', variables: { b: 1 } })).error).toMatchObject({
      code: 'MISSING_PARAMETER',
      message: 'Values are missing for: a, c',
    });
    expect(
      (await call('run_prompt_template', { template_name: 't', variables: { a: 1, b: 1, c: 1 } })).error.code,
    ).toBe('SERVICE_UNAVAILABLE');
    expect((await call('run_prompt_template', { template_name: 'nope', variables: {} })).error.code).toBe(
      'INVALID_PARAMETER',
    );
    expect((await call('run_prompt_template', { template_name: 't' })).error.code).toBe('MISSING_PARAMETER');
    expect((await call('run_prompt_template', { template_name: 't', variables: 'a=1' })).error.code).toBe(
      'INVALID_PARAMETER',
    );
  });

  test('replace those of the same name and keep their count', async () => {
    const service = await modelService();
    const { call } = await connect({ home: emptyHome(), aiPort: service.port });
    await call('create_prompt_template', { name: 't', template: 'one' });
    await call('run_prompt_template', { template_name: 't', variables: {} });
    expect((await call('create_prompt_template', { name: 't', template: 'two' })).data).toMatchObject({
      replaced: true,
      template: 'two',
      use_count: 1,
    });
  });

  test('outlive the server', async () => {
    const home = emptyHome();
    const dataDir = join(home, 'data');
    const first = await connect({ home, dataDir });
    await first.call('create_prompt_template', { name: 'kept', template: 'x' });
    const second = await connect({ home, dataDir });
    expect((await second.call('list_prompt_templates')).data).toMatchObject({ templates: [{ name: 'kept' }] });
  });
});

describe('a data folder that cannot be used', () => {
  test('spoils what has to be kept, and nothing else', async () => {
    const home = emptyHome();
    const dataDir = join(home, 'taken');
    writeFileSync(dataDir, 'a file, not a folder');
    const service = await modelService();
    const { call } = await connect({ home, dataDir, aiPort: service.port });
    expect((await call('create_prompt_template', { name: 'x', template: 'y' })).error).toMatchObject({
      code: expect.stringMatching(/^(?:IO_ERROR|PERMISSION_ERROR)$/),
      suggestion: expect.stringContaining('--data-dir'),
    });
    expect((await call('chat_with_local_model', { message: 'hi' })).success).toBe(true);
    expect((await call('list_available_models')).data).toMatchObject({ total: 1, cached: false });
  });
});

describe('backup and restore', () => {
  test('carry templates over, and nothing secret', async () => {
    const { home } = studioHome();
    const { call } = await connect({ home });
    await call('create_prompt_template', { name: 't', template: 'Use {{x}} with sk-template-0123456789' });
    const path = join(home, 'backup.json');
    const { data } = await call('backup_configuration', { output_path: '~/backup.json' });
    expect(data).toEqual({
      counts: { personas: 1, prompts: 1, tools: 1, templates: 1 },
      output_path: '$HOME/backup.json',
    });
    const text = readFileSync(path, 'utf8');
    for (const secret of [...SECRETS, 'sk-template']) expect(text).not.toContain(secret);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const other = await connect({ home: emptyHome() });
    expect((await other.call('restore_configuration', { backup_path: path })).data).toMatchObject({
      dry_run: true,
      templates_to_restore: ['t'],
      restored: 0,
    });
    expect((await other.call('list_prompt_templates')).data).toMatchObject({ count: 0 });
    expect((await other.call('restore_configuration', { backup_json: text, dry_run: false })).data).toMatchObject({
      restored: 1,
    });
    expect((await other.call('list_prompt_templates')).data).toMatchObject({
      templates: [{ name: 't', variables: ['x'] }],
    });
    expect(
      (await other.call('restore_configuration', { backup_json: text, restore_templates: false, dry_run: false })).data,
    ).toMatchObject({ restored: 0 });
  });

  test('work without a database for what is our own', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('backup_configuration')).error.code).toBe('DATABASE_NOT_FOUND');
    const own = { include_personas: false, include_prompts: false, include_tools: false };
    expect((await call('backup_configuration', own)).data).toMatchObject({
      counts: { templates: 0 },
      backup: { format: 'msty-admin-backup' },
    });
  });

  test.each([
    [{}, 'MISSING_PARAMETER'],
    [{ backup_json: '{oops' }, 'VALIDATION_ERROR'],
    [{ backup_json: '[]' }, 'VALIDATION_ERROR'],
    [{ backup_json: '{"templates":[{"name":1}]}' }, 'VALIDATION_ERROR'],
    [{ backup_path: '/nowhere/at/all.json' }, 'FILE_NOT_FOUND'],
    [{ backup_json: 5 }, 'INVALID_PARAMETER'],
  ])('refuse to restore %j with %s', async (args, code) => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('restore_configuration', args)).error.code).toBe(code);
  });
});

describe('files that a call writes', () => {
  test("are never inside Msty's folder, not by a link either", async () => {
    const { home } = studioHome();
    const inside = join(dataFolder(home), 'backup.json');
    symlinkSync(dataFolder(home), join(home, 'link'));
    const { call } = await connect({ home });
    for (const output_path of [inside, join(home, 'link', 'backup.json'), `${dataFolder(home)}/sub/../backup.json`]) {
      for (const tool of ['backup_configuration', 'generate_persona']) {
        expect((await call(tool, { name: 'x', output_path })).error.code).toBe('PERMISSION_ERROR');
      }
    }
    expect(existsSync(inside)).toBe(false);
  });

  test.each([
    ['relative.json', 'INVALID_PARAMETER'],
    ['~/.bashrc', 'INVALID_PARAMETER'],
    ['/nonexistent-folder/x.json', 'IO_ERROR'],
    ['~/taken.json', 'IO_ERROR'],
    ['', 'INVALID_PARAMETER'],
  ])('are refused at %j with %s', async (output_path, code) => {
    const home = emptyHome();
    writeFileSync(join(home, 'taken.json'), 'mine');
    const { call } = await connect({ home });
    expect((await call('generate_persona', { name: 'x', output_path })).error.code).toBe(code);
    expect(readFileSync(join(home, 'taken.json'), 'utf8')).toBe('mine');
  });

  test('get their folders inside the home folder, and nowhere else', async () => {
    const home = emptyHome();
    const outside = emptyHome();
    symlinkSync(outside, join(home, 'link'));
    const { call } = await connect({ home });
    const write = (output_path: string) => call('generate_persona', { name: 'x', output_path });
    expect((await write('~/new/folder/x.json')).data).toMatchObject({ output_path: '$HOME/new/folder/x.json' });
    expect(JSON.parse(readFileSync(join(home, 'new', 'folder', 'x.json'), 'utf8'))).toMatchObject({ name: 'x' });
    for (const path of [join(outside, 'new', 'x.json'), '~/link/new/x.json', '~/new/../link/new/x.json']) {
      expect((await write(path)).error).toMatchObject({ code: 'IO_ERROR', message: expect.stringContaining('folder') });
    }
    expect(readdirSync(outside)).toEqual([]);
    await call('sync_claude_preferences', { output_path: '~/dry/run/x.json' });
    expect(existsSync(join(home, 'dry'))).toBe(false);
  });

  test('hold the persona', async () => {
    const home = emptyHome();
    const { call } = await connect({ home });
    const { data } = await call('generate_persona', {
      name: 'Ada',
      description: 'Helps with code.',
      base_template: 'coder',
      custom_instructions: 'Prefer TypeScript.',
      temperature: 0.2,
      model_preference: 'qwen3:8b',
      output_path: '$HOME/ada.json',
    });
    expect(data).toMatchObject({
      persona: {
        name: 'Ada',
        temperature: 0.2,
        model_preference: 'qwen3:8b',
        system_prompt: expect.stringContaining('Prefer TypeScript.'),
      },
      output_path: '$HOME/ada.json',
    });
    expect(JSON.parse(readFileSync(join(home, 'ada.json'), 'utf8'))).toMatchObject({ name: 'Ada' });
    expect((await call('generate_persona', { name: 'x', base_template: 'pirate' })).error.code).toBe(
      'INVALID_PARAMETER',
    );
    expect((await call('generate_persona', {})).error.code).toBe('MISSING_PARAMETER');
  });
});

describe('Claude Desktop', () => {
  const config = {
    theme: 'dark',
    mcpServers: {
      memory: {
        command: 'npx',
        args: ['-y', 'memory', '--api-key', 'claude-secret-1'],
        env: { MEMORY_TOKEN: 'claude-secret-2', LEVEL: 'info' },
      },
      remote: { url: 'https://user:claude-secret-3@example.com/mcp?api_key=claude-secret-4' },
    },
  };
  const claudeHome = () => {
    const { home } = studioHome();
    const path = join(home, '.config', 'Claude', 'claude_desktop_config.json');
    mkdirSync(join(home, '.config', 'Claude'), { recursive: true });
    writeFileSync(path, JSON.stringify(config));
    return { home, path };
  };

  test('is exported without secrets', async () => {
    const { call } = await connect({ home: claudeHome().home });
    const plain = await call<{ tools: unknown[] }>('export_tool_config');
    expect(plain.data).toMatchObject({
      tool_count: 2,
      tools: [{ name: 'memory', env_names: ['MEMORY_TOKEN', 'LEVEL'] }, { name: 'remote' }],
    });
    expect(JSON.stringify(plain)).not.toContain('claude-secret');
    expect((await call('export_tool_config', { tool_name: 'nope' })).error.code).toBe('INVALID_PARAMETER');
    expect((await call('export_tool_config', { source: 'msty' })).data).toMatchObject({ tools: [{ name: 'files' }] });
  });

  test.each(['claude', 'msty'])('never answers with a key, for %s', async (source) => {
    const { call } = await connect({ home: claudeHome().home });
    for (const output_format of ['claude', 'msty']) {
      const answer = await call('export_tool_config', { source, output_format, include_env: true });
      expect(answer.success).toBe(true);
      for (const secret of [...SECRETS, 'claude-secret']) expect(JSON.stringify(answer)).not.toContain(secret);
    }
  });

  test('answers include_env with the names of the variables', async () => {
    const { call } = await connect({ home: claudeHome().home });
    const asked = { include_env: true, output_format: 'claude', tool_name: 'memory' };
    expect((await call('export_tool_config', asked)).data).toMatchObject({
      includes_env: true,
      output_path: null,
      config: {
        mcpServers: {
          memory: { command: 'npx', env: { MEMORY_TOKEN: '[redacted]', LEVEL: '[redacted]' } },
        },
      },
    });
  });

  test('writes the whole configuration to a file that only its owner may read', async () => {
    const { home } = claudeHome();
    const { call } = await connect({ home });
    const asked = { include_env: true, output_format: 'claude', output_path: '~/exports/claude.json' };
    const answer = await call('export_tool_config', asked);
    expect(answer.data).toMatchObject({ tool_count: 2, output_path: '$HOME/exports/claude.json' });
    expect(JSON.stringify(answer)).not.toContain('claude-secret');
    const path = join(home, 'exports', 'claude.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ mcpServers: config.mcpServers });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const plain = { output_format: 'claude', output_path: '~/exports/plain.json' };
    expect((await call('export_tool_config', plain)).success).toBe(true);
    expect(readFileSync(join(home, 'exports', 'plain.json'), 'utf8')).not.toContain('claude-secret');
  });

  test('is changed only on demand, with a copy of what was there', async () => {
    const { home, path } = claudeHome();
    const { call } = await connect({ home });
    const config_json = JSON.stringify({
      mcpServers: {
        fresh: { command: 'x', env: { FRESH_TOKEN: 'import-secret', MODE: 'a' } },
        memory: { command: 'other' },
      },
    });
    const dry = await call('import_tool_config', { config_json });
    expect(dry.data).toMatchObject({
      dry_run: true,
      written: false,
      tools_to_import: [{ name: 'fresh' }],
      already_present: ['memory'],
      backup: null,
    });
    expect(JSON.stringify(dry)).not.toContain('import-secret');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(config);
    const wet = await call<{ backup: string }>('import_tool_config', { config_json, dry_run: false });
    expect(wet.data).toMatchObject({ written: true, target: '$HOME/.config/Claude/claude_desktop_config.json' });
    expect(JSON.parse(readFileSync(wet.data.backup.replace('$HOME', home), 'utf8'))).toEqual(config);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      theme: 'dark',
      mcpServers: { ...config.mcpServers, fresh: { command: 'x', args: [], env: { MODE: 'a' } } },
    });
  });

  test.each([
    [{ config_json: '{oops' }, 'VALIDATION_ERROR'],
    [{ config_json: '{"mcpServers":{"a":{}}}' }, 'VALIDATION_ERROR'],
    [{ config_json: '"text"' }, 'VALIDATION_ERROR'],
    [{ config_file: '~/nowhere.json' }, 'FILE_NOT_FOUND'],
    [{ source: 'cursor' }, 'INVALID_PARAMETER'],
  ])('does not take %j: %s', async (args, code) => {
    const { call } = await connect({ home: claudeHome().home });
    expect((await call('import_tool_config', args)).error.code).toBe(code);
  });

  test('can be read from a file and from Msty', async () => {
    const { home } = claudeHome();
    writeFileSync(join(home, 'tools.json'), JSON.stringify({ mcpServers: { fromfile: { command: 'x' } } }));
    const { call } = await connect({ home });
    expect((await call('import_tool_config', { config_file: '~/tools.json' })).data).toMatchObject({
      tools_to_import: [{ name: 'fromfile' }],
    });
    expect((await call('import_tool_config', { source: 'msty' })).data).toMatchObject({
      tools_to_import: [{ name: 'files' }],
    });
  });

  test('becomes a persona, written only on demand', async () => {
    const { home } = claudeHome();
    const { call } = await connect({ home });
    const args = { output_path: '~/persona.json' };
    expect((await call('sync_claude_preferences', args)).data).toMatchObject({
      claude_tools: ['memory', 'remote'],
      only_in_claude: ['memory', 'remote'],
      only_in_msty: ['files'],
      dry_run: true,
      written: false,
      persona: { system_prompt: expect.stringContaining('memory') },
    });
    expect(existsSync(join(home, 'persona.json'))).toBe(false);
    expect((await call('sync_claude_preferences', { ...args, dry_run: false })).data).toMatchObject({ written: true });
    expect(existsSync(join(home, 'persona.json'))).toBe(true);
  });

  test('is said to be missing where it is not installed', async () => {
    const { call } = await connect({ home: emptyHome() });
    expect((await call('export_tool_config')).error.code).toBe('FILE_NOT_FOUND');
    expect((await call('sync_claude_preferences')).error.code).toBe('FILE_NOT_FOUND');
  });
});
