import type { IngestProgress } from '../service/ingest.ts';

export interface ProgressBar {
  file(name: string, progress: IngestProgress): void;
  /** One file is done; the line stays above the bar. */
  done(line: string): void;
  end(): void;
}

const WIDTH = 24;

/** Shows how far a list of files is. On a terminal a bar is redrawn in place; elsewhere only the finished files are told. */
export function progressBar(
  total: number,
  out: { write(text: string): unknown; isTTY?: boolean; columns?: number },
): ProgressBar {
  let finished = 0;
  let drawn = '';
  const clear = () => {
    if (drawn !== '') out.write('\r\x1b[K');
    drawn = '';
  };
  return {
    file(name, { step, chunks, embedded }) {
      if (!out.isTTY) return;
      const share =
        step === 'reading' ? 0.05 : step === 'storing' ? 0.98 : 0.1 + 0.85 * (embedded / Math.max(1, chunks));
      const part = (finished + share) / total;
      const filled = Math.min(WIDTH, Math.round(part * WIDTH));
      const doing = step === 'embedding' ? `embedding ${embedded}/${chunks}` : step;
      const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${finished}/${total}  ${name}  ${doing}`;
      const shown = line.slice(0, Math.max(40, (out.columns ?? 100) - 1));
      if (shown === drawn) return;
      out.write(`\r\x1b[K${shown}`);
      drawn = shown;
    },
    done(line) {
      finished++;
      clear();
      out.write(`${line}\n`);
    },
    end: clear,
  };
}
