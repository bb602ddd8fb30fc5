import { type ExecFileException, execFile, execFileSync } from 'node:child_process';
import { cp, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import { isOpenToOthers, isRoot } from '../../src/python/setup/places.ts';
import { PYTHON_ATTACKS, PYTHON_PRELUDE } from '../escape/attacks-python.ts';
import { makeOpenFolder, reachableProgram, systemProgram } from '../escape/other-user.ts';
import { makeTargets } from '../escape/targets.ts';
import { describeWays, interpreter } from '../python-environment.ts';

const run = promisify(execFile);
const here = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;

/** The package as npm would unpack it, with its dependencies beside it, in a place that anybody may read. */
beforeAll(async () => {
  folder = makeOpenFolder('atoll-installed-');
  const listed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
    cwd: here,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = JSON.parse(listed) as [{ files: { path: string }[] }];
  for (const { path } of files) await cp(join(here, path), join(folder, path));
  await symlink(join(here, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const cli = (...args: string[]) =>
  run(process.execPath, [join(folder, 'dist/cli.js'), ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout = '', stderr = '' }: ExecFileException) => ({ code, stdout, stderr }),
  );

describe('the installed program', () => {
  test('explains itself, and refuses what it does not know', async () => {
    expect(await cli('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('setup-python') });
    expect(await cli('--version')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    const refusals = [
      [[], 'Command missing'],
      [['nothing'], 'Unknown command "nothing"'],
      [['doctor', '--nothing'], "Unknown option '--nothing'"],
      [['doctor', 'doctor'], 'Unexpected argument "doctor"'],
    ] as const;
    for (const [args, why] of refusals) {
      const refusal = expect.stringMatching(/^atoll-sandbox: .*\n\nusage:/);
      expect(await cli(...args)).toMatchObject({ code: 2, stdout: '', stderr: refusal });
      expect((await cli(...args)).stderr).toContain(why);
    }
  });

  test('examines the machine: JavaScript and SQL always work', async () => {
    const { stdout, code } = await cli('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { name: string; capability: { available: boolean } }[] };
    const works = Object.fromEntries(findings.map(({ name, capability }) => [name, capability.available]));
    expect(works).toMatchObject({ javascript: true, sql: true, python: interpreter !== undefined });
    expect(code).toBe(interpreter ? 0 : 1);
    expect((await cli('doctor')).stdout).toContain('ok  javascript');
  });

  test('says what to do where there is no Python', async () => {
    const { stdout } = await cli('doctor', '--python-dir', join(folder, 'nowhere'));
    expect(stdout).toMatch(/^(ok|no ) {1,2}python/);
  });

  test('finds that Python is ready and changes nothing', requires(interpreter, 'python'), async () => {
    const { code, stdout } = await cli('setup-python', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ source: expect.stringMatching(/ready|system/) });
  });
});

/** The same attacks by the installed package, in a process of an ordinary user. */
describeWays(
  'an ordinary user with bubblewrap',
  (bubblewrap) => {
    test('is walled in as root is', { timeout: 240_000 }, async () => {
      const targets = await makeTargets();
      const words = Object.entries(targets.words).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
      const attacks = PYTHON_ATTACKS.map(({ name, code, limits }) => ({
        name,
        limits,
        code: [PYTHON_PRELUDE, ...words, code].join('\n'),
      }));
      const script = join(folder, 'attack.mjs');
      await writeFile(
        script,
        `import { createPythonRuntime } from './dist/index.js';
const runtime = createPythonRuntime({ bubblewrap: '${bubblewrap}', preload: ['numpy'], python: ${JSON.stringify(interpreter!.executable)} });
const escaped = [];
for (const { name, code, limits } of ${JSON.stringify(attacks)}) {
  const session = await runtime.open({ limits: { wallMs: 20_000, ...limits } });
  const { ok, failure } = await session.run(code);
  if (ok || failure.kind === 'unavailable') escaped.push(name);
  await session.close();
}
const { walls } = await runtime.probe();
await runtime.close();
process.stdout.write(JSON.stringify({ uid: process.getuid(), escaped, walls }));`,
      );
      const user = [
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
        '--',
        reachableProgram(process.execPath),
        script,
      ];
      const { stdout } = await run(systemProgram('setpriv'), user, {
        cwd: '/',
        env: { PATH: '/usr/bin:/bin', HOME: '/nonexistent', ATOLL_SECRET: 'x' },
      });
      await targets.close();
      const expected = ['landlock', 'seccomp', 'rlimits', ...(bubblewrap === 'required' ? ['namespaces'] : [])];
      expect(JSON.parse(stdout)).toEqual({ uid: 65534, escaped: [], walls: expected });
    });
  },
  requires(isRoot() && interpreter?.prefixes.every(isOpenToOthers), 'root'),
);
