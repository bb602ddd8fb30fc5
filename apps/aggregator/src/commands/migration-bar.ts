import type { CopyProgress } from '@atoll-mcp/storage';

export interface Bar {
  show(name: string, progress: CopyProgress): void;
  /** Clears it, so that a line can be printed. */
  end(): void;
}

const WIDTH = 24;

/** A progress bar on a terminal; silent elsewhere. */
export function migrationBar(out: { write(text: string): unknown; isTTY?: boolean; columns?: number }): Bar {
  let drawn = '';
  return {
    show(name, { part, step, done, total }) {
      if (!out.isTTY) return;
      const filled = Math.round(WIDTH * Math.min(1, done / Math.max(1, total)));
      const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${name}: ${step} ${part} ${done}/${total}`;
      const shown = line.slice(0, Math.max(40, (out.columns ?? 100) - 1));
      if (shown === drawn) return;
      out.write(`\r\x1b[K${shown}`);
      drawn = shown;
    },
    end() {
      if (drawn !== '') out.write('\r\x1b[K');
      drawn = '';
    },
  };
}
