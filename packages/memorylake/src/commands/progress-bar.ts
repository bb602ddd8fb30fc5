import type { IngestProgress } from '../service/ingest-pipeline.ts';

interface ProgressBar {
  file(name: string, progress: IngestProgress): void;
  /** Prints a line for a finished file above the bar. */
  done(name: string, line: string): void;
  end(): void;
}

const WIDTH = 24;

/** Progress over a list of files: a bar on a terminal, elsewhere a line per finished file. */
export function progressBar(
  total: number,
  out: { write(text: string): unknown; isTTY?: boolean; columns?: number },
): ProgressBar {
  const underWay = new Map<string, number>();
  let finished = 0;
  let drawn = '';
  const clear = () => {
    if (drawn !== '') out.write('\r\x1b[K');
    drawn = '';
  };
  return {
    file(name, progress) {
      if (!out.isTTY) return;
      underWay.set(name, shareOf(progress));
      const begun = [...underWay.values()].reduce((sum, share) => sum + share, 0);
      const filled = Math.min(WIDTH, Math.round(((finished + begun) / total) * WIDTH));
      const { step, chunks, embedded } = progress;
      const { recognised } = progress;
      const pages = recognised && ` ${recognised.done}/${recognised.pages} pages`;
      const doing = step === 'embedding' ? `embedding ${embedded}/${chunks}` : `${step}${pages ?? ''}`;
      const line = `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${finished}/${total}  ${name}  ${doing}`;
      const shown = line.slice(0, Math.max(40, (out.columns ?? 100) - 1));
      if (shown === drawn) return;
      out.write(`\r\x1b[K${shown}`);
      drawn = shown;
    },
    done(name, line) {
      finished++;
      underWay.delete(name);
      clear();
      out.write(`${line}\n`);
    },
    end: clear,
  };
}

function shareOf({ step, chunks, embedded, recognised }: IngestProgress): number {
  if (recognised) return 0.05 + 0.05 * (recognised.done / recognised.pages);
  if (step === 'reading') return 0.05;
  return step === 'storing' ? 0.98 : 0.1 + 0.85 * (embedded / Math.max(1, chunks));
}
