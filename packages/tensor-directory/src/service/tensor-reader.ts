import { bytesOf, countOf, FACTS, type Tensor } from '@atoll-mcp/formats/dtypes';
import { npyHeader } from '@atoll-mcp/formats/npy';
import type { Backends, TensorItem } from '../backends/interface.ts';
import { comparable, type Elements, toDoubles } from '../domain/values/elements.ts';
import { planReads } from '../domain/values/read-plan.ts';
import { type AxisPick, cutPicks, pickedShape, resolveSlice, SliceFault } from '../domain/values/slice.ts';
import { describe } from '../domain/values/statistics.ts';
import { nestedValues, noteOn } from '../domain/values/values.ts';
import { invalidSlice } from '../errors.ts';

export const labelOf = ({ name }: TensorItem) => `tensor '${name}'`;

/** Reads values of tensors, slices and statistics. */
export class TensorReader {
  readonly #backends: Backends;

  constructor(backends: Backends) {
    this.#backends = backends;
  }

  /** Reads only the requested part of the file. */
  async values(item: TensorItem, slice: string | undefined, maxValues: number) {
    const { picks, truncated } = cutPicks(this.picks(item, slice), maxValues);
    const part = await this.part(item, picks);
    const note = noteOn(part);
    return { dtype: part.dtype, shape: [...part.shape], values: nestedValues(part), truncated, ...(note && { note }) };
  }

  picks(item: TensorItem, slice: string | undefined): AxisPick[] {
    try {
      return resolveSlice(slice, item.values.shape);
    } catch (error) {
      throw error instanceof SliceFault ? invalidSlice(item.name, error) : error;
    }
  }

  shapeOf(item: TensorItem, slice: string): number[] {
    return pickedShape(this.picks(item, slice));
  }

  async part(item: TensorItem, picks: readonly AxisPick[]): Promise<Tensor> {
    const { dtype, shape } = item.values;
    const itemBytes = FACTS[dtype].bytes;
    const sizeBytes = countOf(picks.map(({ count }) => count)) * itemBytes;
    const data = await this.#backends.values.gather(
      item.values,
      labelOf(item),
      planReads(shape, picks, itemBytes),
      sizeBytes,
    );
    return { dtype, shape: pickedShape(picks), data };
  }

  async describe(item: TensorItem, bins: number) {
    const { dtype, shape, sha256 } = item.values;
    const figures = await describe(() => this.doubles(item), bins);
    return { ...figures, sha256, sizeBytes: bytesOf(dtype, shape) };
  }

  /** Streams all values in order, with constant memory. */
  async *doubles(item: TensorItem): AsyncGenerator<Float64Array> {
    for await (const bytes of this.#pieces(item)) yield toDoubles(item.values.dtype, bytes);
  }

  /** Streams values without converting them to doubles. */
  async *elements(item: TensorItem): AsyncGenerator<Elements> {
    const { dtype } = item.values;
    for await (const bytes of this.#pieces(item)) yield comparable(dtype, bytes);
  }

  /** Chunks that end at element boundaries. */
  async *#pieces(item: TensorItem): AsyncGenerator<Uint8Array> {
    const { dtype, shape } = item.values;
    const size = FACTS[dtype].bytes;
    let header = npyHeader(dtype, shape).byteLength;
    let rest: Uint8Array = new Uint8Array(0);
    for await (const piece of this.#backends.values.stream(item.values, labelOf(item))) {
      const skipped = Math.min(header, piece.byteLength);
      header -= skipped;
      const bytes = rest.byteLength === 0 ? piece.subarray(skipped) : Buffer.concat([rest, piece.subarray(skipped)]);
      const whole = bytes.byteLength - (bytes.byteLength % size);
      if (whole > 0) yield bytes.subarray(0, whole);
      rest = bytes.subarray(whole);
    }
  }
}
