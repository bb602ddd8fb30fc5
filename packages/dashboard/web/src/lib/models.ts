import type { Edge } from './graph/layout.ts';
import { ask } from './mcp.ts';

interface OnnxValue {
  readonly name: string;
  readonly type: string;
  readonly shape?: readonly (number | string | null)[];
  readonly optional?: boolean;
}

export interface OnnxFacts {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly operators: readonly { readonly operator: string; readonly domain?: string; readonly count: number }[];
  readonly custom_operators: readonly string[];
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly producer?: string;
  readonly parameters: number;
  readonly size_bytes: number;
}

export interface Operator {
  readonly operator: string;
  readonly name?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface Model {
  readonly metadata: { readonly uuid: string; readonly user_name: string; readonly description: string };
  readonly language: string;
  readonly code: string | null;
  readonly weights_shape: readonly number[] | null;
  readonly weights_dtype: string | null;
  readonly onnx?: OnnxFacts;
  readonly graph?: { readonly nodes: readonly Operator[]; readonly nodes_total: number };
}

export function getModel(id: string, signal: AbortSignal, withGraph = false): Promise<Model> {
  return ask<Model>('get_model', { name_or_uuid: id, ...(withGraph && { include_graph: true }) }, { signal });
}

/** A shape as people write it; what a model leaves open has a name or a question mark. */
export function shapeText({ type, shape }: OnnxValue): string {
  return shape ? `${type} (${shape.map((size) => size ?? '?').join(', ')})` : type;
}

/** Operators joined by the values that pass between them, from the inputs of the model to its outputs. */
export function graphOf({ onnx, graph }: Model) {
  const operators = graph?.nodes ?? [];
  const inputs = (onnx?.inputs ?? []).filter(({ optional }) => !optional);
  const maker = new Map<string, string>();
  for (const { name } of inputs) maker.set(name, `in ${name}`);
  for (const [index, { outputs }] of operators.entries()) for (const name of outputs) maker.set(name, `op ${index}`);
  const edges: Edge[] = [];
  for (const [index, { inputs: taken }] of operators.entries()) {
    const makers = new Set(taken.map((name) => maker.get(name)));
    for (const from of makers) if (from) edges.push({ from, to: `op ${index}` });
  }
  const outputs = (onnx?.outputs ?? []).filter(({ name }) => maker.has(name));
  for (const { name } of outputs) edges.push({ from: maker.get(name)!, to: `out ${name}` });
  return {
    nodes: [
      ...inputs.map((value) => ({
        id: `in ${value.name}`,
        label: value.name,
        kind: 'value' as const,
        about: shapeText(value),
      })),
      ...operators.map(({ operator, name }, index) => ({
        id: `op ${index}`,
        label: operator,
        kind: 'operator' as const,
        about: [operator, name].filter(Boolean).join(' '),
      })),
      ...outputs.map((value) => ({
        id: `out ${value.name}`,
        label: value.name,
        kind: 'value' as const,
        about: shapeText(value),
      })),
    ],
    edges,
  };
}
