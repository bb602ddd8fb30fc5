import type { Cell } from './document.ts';

const DATE = /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2})?)?/;
const SAMPLES = 4;

/** What one column holds, gathered row by row. */
export class ColumnFacts {
  filled = 0;
  private numbers = 0;
  private dates = 0;
  private least = Number.POSITIVE_INFINITY;
  private greatest = Number.NEGATIVE_INFINITY;
  private first: string | undefined;
  private last: string | undefined;
  private readonly samples = new Set<string>();

  add(cell: Cell): void {
    if (cell === null || cell === '') return;
    this.filled++;
    if (typeof cell === 'number') {
      this.numbers++;
      if (cell < this.least) this.least = cell;
      if (cell > this.greatest) this.greatest = cell;
    } else if (typeof cell === 'string') {
      this.addText(cell);
    }
  }

  private addText(cell: string): void {
    if (cell.charCodeAt(4) === 45 && DATE.test(cell)) {
      this.dates++;
      if (this.first === undefined || cell < this.first) this.first = cell;
      if (this.last === undefined || cell > this.last) this.last = cell;
    } else if (this.samples.size < SAMPLES) this.samples.add(cell.length > 24 ? `${cell.slice(0, 23)}…` : cell);
  }

  /** The range of numbers or dates, or a few of the values. */
  describe(): string {
    if (this.filled === 0) return '';
    if (this.numbers > this.filled / 2) return `${figure(this.least)} to ${figure(this.greatest)}`;
    if (this.dates > this.filled / 2) return `${this.first} to ${this.last}`;
    const few = [...this.samples].slice(0, SAMPLES - 1);
    return few.length === 0 ? '' : `${few.join(', ')}${this.samples.size > few.length ? ', …' : ''}`;
  }
}

const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 4 });
