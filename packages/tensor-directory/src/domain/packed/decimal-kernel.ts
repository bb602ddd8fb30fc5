import { openKernel, type WasmMemory } from '@atoll-mcp/storage/search';
import { DECIMAL_KERNEL } from './decimal-kernel.generated.ts';

interface Kernel {
  readonly memory: WasmMemory;
  readonly at: { readonly value: number };
  readonly out: { readonly value: number };
  numbers(from: number, end: number, to: number, powers: number, fives: number): number;
}

/** Why the reading of numbers stopped, as decimal-kernel.wat words it. */
export const STOP = { behindNumber: 0, beforeEnd: 1, beforeOther: 2 } as const;

const POWERS = 0;
const FIVES = 256;
const FIRST_FIVE = -342;
const LAST_FIVE = 308;
const WINDOW = 16 * 1024;
/** Bytes of text that are read at a time. */
export const WINDOW_BYTES = 256 * 1024;
/** A number takes two bytes of text at least, with its comma. */
const OUT = WINDOW + WINDOW_BYTES + 8;

let opened: { readonly kernel: DecimalKernel | undefined } | undefined;

/** The kernel that all reading shares, since it is never interrupted; nothing where there is no room for it. */
export function decimalKernel(): DecimalKernel | undefined {
  opened ??= { kernel: openIfPossible() };
  return opened.kernel;
}

function openIfPossible(): DecimalKernel | undefined {
  try {
    return new DecimalKernel();
  } catch (error) {
    // Its memory takes gigabytes of addresses, which `ulimit -v` may not grant.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Reads decimals out of a window of bytes that is filled again and again, and keeps the numbers until they are taken. */
export class DecimalKernel {
  readonly window: Buffer;
  readonly #kernel = openKernel<Kernel>(DECIMAL_KERNEL);
  readonly #doubles: Float64Array;
  /** The next byte of the window to look at. */
  at = 0;
  count = 0;

  constructor() {
    const { buffer } = this.#kernel.memory;
    new Float64Array(buffer, POWERS, 23).set(Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`)));
    const fives = new BigUint64Array(buffer, FIVES, (LAST_FIVE - FIRST_FIVE + 1) * 2);
    for (let exponent = FIRST_FIVE; exponent <= LAST_FIVE; exponent++) {
      const bits = powerOfFive(exponent);
      fives.set([bits >> 64n, bits & (2n ** 64n - 1n)], (exponent - FIRST_FIVE) * 2);
    }
    this.window = Buffer.from(buffer, WINDOW, WINDOW_BYTES + 1);
    this.#doubles = new Float64Array(buffer, OUT, WINDOW_BYTES / 2 + 1);
  }

  /** Reads on up to the end of what is in the window, where a 0 must stand; says why it stopped. */
  read(end: number): number {
    const { numbers, at, out } = this.#kernel;
    const stop = numbers(WINDOW + this.at, WINDOW + end, OUT + this.count * 8, POWERS, FIVES);
    this.at = at.value - WINDOW;
    this.count = (out.value - OUT) / 8;
    return stop;
  }

  add(value: number): void {
    this.#doubles[this.count++] = value;
  }

  /** The numbers so far, good until the next is read; they must be taken before the window is filled again. */
  take(): Float64Array {
    const taken = this.#doubles.subarray(0, this.count);
    this.count = 0;
    return taken;
  }
}

/** A power of five as 128 bits of which the highest is set. What is cut off is rounded up only where a power's inverse fits 64 bits. */
function powerOfFive(exponent: number): bigint {
  const power = 5n ** BigInt(Math.abs(exponent));
  const length = BigInt(power.toString(2).length);
  if (exponent >= 0) return length <= 128n ? power << (128n - length) : power >> (length - 128n);
  return (1n << (length + 127n)) / power + (exponent >= -27 ? 1n : 0n);
}
