import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import type { HealthReport } from '@atoll-mcp/core';

/** Below this nothing can be stored reliably. */
const MIN_FREE_BYTES = 16_000_000;

/** Watches the folder of everything that is stored. It may be missing until something is stored; after that its absence is an error. */
export class DataFolder {
  readonly #path: string;
  #existed: boolean;

  constructor(path: string) {
    this.#path = path;
    this.#existed = existsSync(path);
  }

  async problem(): Promise<string | undefined> {
    const isThere = await stat(this.#path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) return this.#existed ? 'the data folder is missing' : undefined;
    this.#existed = true;
    const disk = await statfs(this.#path).catch(() => undefined);
    return disk && disk.bavail * disk.bsize < MIN_FREE_BYTES ? 'the disk of the data folder is full' : undefined;
  }
}

export function withFolderProblem(report: HealthReport, problem: string | undefined): HealthReport {
  if (problem === undefined) return report;
  return { ...report, status: report.status === 'ok' ? 'degraded' : report.status, data_folder: problem };
}
