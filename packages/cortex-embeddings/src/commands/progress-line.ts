import type { PullProgress } from '../backends/models/fetch-model.ts';

/** Shows how far a pull is: redrawn in place on a terminal, and elsewhere one line per step. */
export function progressLine(out: { write(text: string): unknown; isTTY?: boolean }) {
  let lastStep = '';
  let drawn = '';
  return {
    show({ step, doneBytes, totalBytes }: PullProgress): void {
      if (!out.isTTY) {
        if (step !== lastStep) out.write(`${step}\n`);
        lastStep = step;
        return;
      }
      const share =
        totalBytes > 0 ? ` ${Math.floor((100 * doneBytes) / totalBytes)} % of ${Math.round(totalBytes / 1e6)} MB` : '';
      const line = `${step}${share}`;
      if (line === drawn) return;
      out.write(`\r\u001b[K${line}`);
      drawn = line;
    },
    end(): void {
      if (drawn !== '') out.write('\r\u001b[K');
    },
  };
}
