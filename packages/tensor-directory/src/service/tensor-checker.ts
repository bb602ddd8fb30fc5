import { ToolError } from '@atoll-mcp/core';
import { bytesOf } from '@atoll-mcp/formats/dtypes';
import type { TensorItem } from '../backends/interface.ts';
import { Checkup, FINDINGS, type Finding } from '../domain/compare/checkup.ts';
import type { TensorReader } from './tensor-reader.ts';
import { tensorsMatching } from './tensor-sets.ts';
import type { Tensors } from './tensors.ts';

interface TensorFinding extends Finding {
  readonly item: TensorItem;
}

export interface CheckResult {
  readonly checked: number;
  readonly clean: number;
  readonly bytes: number;
  /** Most severe first. */
  readonly findings: readonly TensorFinding[];
  readonly sentence: string;
}

/** Checks all values of tensors, in one pass per tensor. */
export class TensorChecker {
  readonly #tensors: Tensors;
  readonly #reader: TensorReader;

  constructor(tensors: Tensors, reader: TensorReader) {
    this.#tensors = tensors;
    this.#reader = reader;
  }

  async check(pattern: string | undefined, signal?: AbortSignal): Promise<CheckResult> {
    return this.checkItems(await tensorsMatching(this.#tensors, pattern), signal);
  }

  async checkItems(items: readonly TensorItem[], signal?: AbortSignal): Promise<CheckResult> {
    const findings: TensorFinding[] = [];
    for (const item of items) {
      for (const finding of await this.#findings(item, signal)) findings.push({ ...finding, item });
    }
    const rank = ({ kind, count, item }: TensorFinding) => FINDINGS.indexOf(kind) - count / (sizeOf(item) + 1);
    findings.sort((a, b) => rank(a) - rank(b) || (a.item.name < b.item.name ? -1 : 1));
    const clean = items.length - new Set(findings.map(({ item }) => item.uuid)).size;
    const bytes = items.reduce((sum, item) => sum + sizeOf(item), 0);
    return { checked: items.length, clean, bytes, findings, sentence: sentenceOn(items.length, clean, findings) };
  }

  /** A damaged file is a finding; the other tensors are still checked. */
  async #findings(item: TensorItem, signal: AbortSignal | undefined): Promise<Finding[]> {
    const checkup = new Checkup(item.values.dtype, item.values.shape);
    try {
      for await (const elements of this.#reader.elements(item)) {
        signal?.throwIfAborted();
        checkup.add(elements);
      }
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'DAMAGED') throw error;
      return [{ kind: 'damaged', count: 1, message: 'the stored values are damaged or missing' }];
    }
    return checkup.findings();
  }
}

const sizeOf = ({ values }: TensorItem) => bytesOf(values.dtype, values.shape);

function sentenceOn(checked: number, clean: number, findings: readonly TensorFinding[]): string {
  if (checked === 0) return 'There are no tensors to check.';
  if (findings.length === 0) return `Checked ${checked} tensor(s): nothing wrong was found.`;
  const [{ item, message }] = findings as [TensorFinding, ...TensorFinding[]];
  return `Checked ${checked} tensor(s): ${clean} without findings, ${findings.length} finding(s) in the others. The worst: tensor '${item.name}': ${message}.`;
}
