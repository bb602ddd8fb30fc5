import { type ComputedDtype, countOf } from '@atoll-mcp/formats/dtypes';
import { broadcastShape, combined, mapped } from './elementwise.ts';
import { commonDtype, type Numeric, TransformFault } from './numeric.ts';

/** Values that are in memory at one time, named tensors among them. Each takes eight bytes. */
export const MAX_LIVE = 2 ** 27;

/**
 * Temporaries of an expression: each is used once and then given up, elementwise work is done in its place, and all that
 * are there at one time are bounded.
 */
export class Workspace {
  readonly #owned = new Set<Float64Array>();
  readonly #maxLive: number;
  readonly #maxCount: number;
  #live: number;

  constructor(named: number, maxCount: number, maxLive: number) {
    this.#live = named;
    this.#maxCount = maxCount;
    this.#maxLive = maxLive;
  }

  /** Gives up both operands, unless the first is kept for later. */
  combined(
    a: Numeric,
    b: Numeric,
    work: (a: number, b: number) => number,
    { dtype = commonDtype(a, b), keepsFirst = false }: { dtype?: ComputedDtype; keepsFirst?: boolean } = {},
  ): Numeric {
    const count = countOf(broadcastShape(a.shape, b.shape));
    const canUse = ({ values }: Numeric) => this.#owned.has(values) && values.length === count;
    const place = !keepsFirst && canUse(a) ? a.values : canUse(b) ? b.values : undefined;
    if (!place && count <= this.#maxCount) this.#check(count);
    const result = combined(a, b, work, dtype, { maxCount: this.#maxCount, place });
    this.#replace(keepsFirst ? [b] : [a, b], result);
    return result;
  }

  /** Gives up the operand. */
  mapped(a: Numeric, work: (value: number) => number, dtype: ComputedDtype): Numeric {
    const place = this.#owned.has(a.values) ? a.values : undefined;
    if (!place) this.#check(a.values.length);
    const result = mapped(a, work, dtype, place);
    this.#replace([a], result);
    return result;
  }

  /** Work that makes a value of at most `count` elements, and `copies` of that size on the way. Gives up the operands. */
  made(operands: readonly Numeric[], count: number, copies: number, work: () => Numeric): Numeric {
    this.#check(count * (1 + copies));
    const result = work();
    this.#replace(operands, result);
    return result;
  }

  /** For an operand that is used again. */
  kept(count: number, work: () => Numeric): Numeric {
    return this.made([], count, 0, work);
  }

  #replace(operands: readonly Numeric[], { values }: Numeric): void {
    for (const { values: old } of operands) if (this.#owned.delete(old)) this.#live -= old.length;
    if (this.#owned.has(values)) return;
    this.#owned.add(values);
    this.#live += values.length;
  }

  #check(count: number): void {
    if (this.#live + count <= this.#maxLive) return;
    throw new TransformFault(
      `it needs ${this.#live + count} values in memory at one time, and at most ${this.#maxLive} are allowed; do it in several steps, or slice it first`,
    );
  }
}
