import type { Spec, Value } from '../../domain/charts/columns.ts';

export interface ChartTask {
  readonly spec: Spec;
  readonly rows: readonly Readonly<Record<string, Value>>[];
}

export type ChartAnswer =
  | { readonly ok: true; readonly png: Uint8Array; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly kind: 'spec' | 'missing'; readonly reason: string };
