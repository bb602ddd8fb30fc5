import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { requires } from '../../../../tooling/test/needs.mjs';
import type { Failure, RunResult } from '../../src/interface.ts';
import { defaultPythonDir } from '../../src/python/setup/places.ts';
import { hasBubblewrap, interpreter } from '../python-environment.ts';
import { canRunControls } from './control.ts';
import { makeOpenFolder, reachableFolder, reachableProgram } from './other-user.ts';

interface Report {
  readonly walls: readonly string[];
  readonly left: number;
  readonly faults: readonly string[];
  readonly outcomes: Readonly<
    Record<string, { ok: boolean; stdout: string; failure?: Failure; most: number; beside: RunResult }>
  >;
}

const MB = 1024 * 1024;
const LIMITS = { scratchBytes: 16 * MB, resultBytes: 2 * MB, outputFileBytes: 2 * MB, wallMs: 60_000, graceMs: 100 };
/** What a hostile program may take beyond its limits before it is stopped. */
const ALLOWANCE = 300 * MB;

/** 8 MB at a time and slowly, so that a program that is not stopped gets to 640 MB and prints "won". */
const slowly = (before: string, step: string) => `
import ctypes, mmap, os, time
libc = ctypes.CDLL(None, use_errno=True)
${before}
for number in range(80):
    ${step.replaceAll('\n', '\n    ')}
    time.sleep(0.05)
print('won')`;
const WRITE = `with open('part%d' % number, 'wb', 0) as file: file.write(bytes(8 << 20))`;
/** Descriptors that it was given and can write to, the result file among them. */
const GIVEN = `
given = []
for fd in range(4, 64):
    try: os.pwrite(fd, b'', 0); given.append(fd)
    except OSError: pass`;

const ATTACKS: Readonly<Record<string, string>> = {
  'reserve blocks beyond the size of the result file': slowly(
    GIVEN,
    `assert given\nfor fd in given:\n    if libc.fallocate(fd, 1, ctypes.c_long(number << 23), ctypes.c_long(8 << 20)): raise OSError(ctypes.get_errno(), 'x')`,
  ),
  'reserve blocks beyond the size of a scratch file': slowly(
    `own = os.open('own', os.O_RDWR | os.O_CREAT)`,
    `if libc.fallocate(own, 1, ctypes.c_long(number << 23), ctypes.c_long(8 << 20)): raise OSError(ctypes.get_errno(), 'x')`,
  ),
  'fill the result file': slowly(GIVEN, 'os.pwrite(given[0], bytes(8 << 20), number << 23)'),
  'write into a folder that cannot be listed': slowly(`os.mkdir('closed', 0o300); os.chdir('closed')`, WRITE),
  'write into a folder that cannot be entered again': slowly(
    `os.mkdir('outer', 0o700); os.mkdir('outer/inner', 0o700); os.chdir('outer/inner'); os.rename('../../outer', '../../hidden'); os.umask(0o777); os.mkdir('closed')`,
    WRITE,
  ),
  'write below paths that are too long': slowly(`for _ in range(40): os.mkdir('x' * 200); os.chdir('x' * 200)`, WRITE),
  'keep deleted files open': slowly(
    'kept = []',
    `${WRITE.replace('with ', 'file = ').replace(' as file:', ';')}; kept.append(file); os.unlink('part%d' % number)`,
  ),
  'keep deleted files mapped': slowly(
    'kept = []',
    `with open('part', 'w+b') as file:
    file.truncate(8 << 20)
    kept.append(mmap.mmap(file.fileno(), 8 << 20))
os.unlink('part')
kept[-1][:] = b'x' * (8 << 20)`,
  ),
  'keep files mapped that never had a name': slowly(
    'kept = []',
    `fd = os.open('.', os.O_TMPFILE | os.O_RDWR)
os.ftruncate(fd, 8 << 20)
kept.append(mmap.mmap(fd, 8 << 20))
os.close(fd)
kept[-1][:] = b'x' * (8 << 20)`,
  ),
  'replace files that are mapped': slowly(
    'kept = []',
    `with open('part', 'w+b') as file:
    file.truncate(8 << 20)
    kept.append(mmap.mmap(file.fileno(), 8 << 20))
os.rename('part', 'other')
kept[-1][:] = b'x' * (8 << 20)`,
  ),
  'start 2000 threads': `
import threading, time
threading.stack_size(64 * 1024)
for _ in range(2000): threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
time.sleep(1)
print('won')`,
};

const MODES = [
  ...(hasBubblewrap ? ([['with bubblewrap', 'with', 'required']] as const) : []),
  ['without bubblewrap', 'with', 'off'],
  ['without bubblewrap and namespaces', 'without', 'off'],
] as const;

/** What the program needs of this package, which the other user may be unable to reach where it is. */
const PARTS = ['package.json', 'dist', 'python', 'test/unprivileged.py', 'test/escape/limits-program.mjs'];

const execute = promisify(execFile);

describe.each(MODES)(
  'an unprivileged user, %s',
  { ...requires(canRunControls(), 'namespaces'), ...requires(interpreter, 'python') },
  (_, namespaces, bubblewrap) => {
    let report: Report;
    beforeAll(async () => {
      const folder = makeOpenFolder('atoll-limits-');
      const sandbox = reachableFolder(join(import.meta.dirname, '../..'), PARTS);
      const program = join(sandbox, 'test/escape/limits-program.mjs');
      const launcher = join(sandbox, 'test/unprivileged.py');
      const node = reachableProgram(process.execPath);
      const task = JSON.stringify({ bubblewrap, limits: LIMITS, attacks: ATTACKS });
      const args = [launcher, namespaces, folder, node, program, task];
      const env = {
        PATH: process.env.PATH,
        TMPDIR: folder,
        HOME: folder,
        ATOLL_PYTHON_DIR: defaultPythonDir(),
      };
      try {
        const { stdout } = await execute(interpreter!.executable, args, { env, cwd: '/', maxBuffer: 64 * MB });
        report = JSON.parse(stdout);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    }, 240_000);

    test('runs what is allowed', () => {
      expect(report.walls).toContain('landlock');
      expect(report.walls.includes('namespaces')).toBe(bubblewrap === 'required');
    });

    test.each(Object.keys(ATTACKS))('code cannot %s', (name) => {
      const { ok, stdout, most, beside } = report.outcomes[name]!;
      expect(stdout).not.toContain('won');
      expect(ok).toBe(false);
      expect(most).toBeLessThan(LIMITS.scratchBytes + LIMITS.resultBytes + ALLOWANCE);
      expect(beside).toMatchObject({ ok: true, stdout: '42\n' });
    });

    test('nothing is left behind and nothing went wrong in the host', () => {
      expect(report.faults).toEqual([]);
      expect(report.left).toBeLessThan(MB);
    });
  },
);
