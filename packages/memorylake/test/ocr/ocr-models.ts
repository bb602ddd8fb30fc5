import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cached } from '../../../../tooling/cache.mjs';
import { ocrModels } from '../../src/backends/ocr/model-files.ts';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/** Fetches the models as a user does, once for all clones. Where that fails it says why and answers false; in CI it throws. */
export function hasOcr(): boolean {
  try {
    fetched();
    return true;
  } catch (error) {
    if (process.env.CI) throw error;
    process.stderr.write(`Skipped: text recognition. Its models could not be fetched: ${(error as Error).message}\n`);
    return false;
  }
}

/** Gives a data folder the models. */
export const installOcr = (dataDir: string): void =>
  cpSync(join(fetched(), 'ocr'), join(dataDir, 'ocr'), { recursive: true });

function fetched(): string {
  return cached('ocr-models', `${ocrModels.name} ${ocrModels.source.version}`, (folder) => {
    execFileSync(process.execPath, [program, 'setup-ocr', '--data-dir', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 600_000,
    });
  });
}
