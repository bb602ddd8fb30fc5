import { callTool, failureOf } from './mcp.ts';

export interface TensorFacts {
  readonly uuid: string;
  readonly name: string;
  readonly version: number;
}

type Figure = number | string | null;

export interface TensorComparison {
  readonly kind: 'tensors';
  readonly a: TensorFacts;
  readonly b: TensorFacts;
  readonly equal: boolean;
  readonly figures: (Readonly<Record<string, Figure>> & { readonly largest: readonly Spot[] }) | null;
  readonly message: string;
}

interface Spot {
  readonly index: readonly number[];
  readonly a: number | string;
  readonly b: number | string;
  readonly difference: number | string;
}

export interface CheckpointComparison {
  readonly kind: 'checkpoints';
  readonly counts: Readonly<Record<string, number>>;
  readonly changed: readonly {
    readonly key: string;
    readonly a: TensorFacts;
    readonly b: TensorFacts;
    readonly relative_norm: Figure;
    readonly max_abs: Figure;
    readonly new_nan: number | null;
  }[];
  readonly added: readonly TensorFacts[];
  readonly removed: readonly TensorFacts[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  readonly message: string;
}

export type Comparison = (TensorComparison | CheckpointComparison) & {
  /** The picture that the server drew. */
  readonly picture?: string;
};

/** Two tensors, or two checkpoints, with the picture of their differences. */
export async function compare(
  kind: Comparison['kind'],
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<Comparison> {
  const result = await callTool(`compare_${kind}`, args, { signal });
  if (result.isError) throw new Error(failureOf(result));
  const image = result.content.find((part) => part.type === 'image');
  return {
    ...(result.structuredContent as Comparison),
    kind,
    ...(image?.type === 'image' && {
      picture: `data:${image.mimeType};base64,${image.data}`,
    }),
  } as Comparison;
}

export interface CheckAnswer {
  readonly checked: number;
  readonly without_findings: number;
  readonly total_findings: number;
  readonly findings: readonly (TensorFacts & {
    readonly kind: string;
    readonly count: number;
    readonly message: string;
  })[];
  readonly message: string;
}
