import { FormatError } from '@atoll-mcp/formats/format-error';
import { elementTypeName } from './onnx-types.ts';
import { type Field, fieldsOf, integerOf, integersIn, messageOf, textOf } from './protobuf.ts';

/** An input or output. A size that is not fixed is the name that the model has for it, or null. */
export interface OnnxValue {
  readonly name: string;
  /** Name of a dtype, or `sequence`, `map`, `optional`, `sparse tensor`. */
  readonly type: string;
  /** Undefined where the model does not say even how many dimensions there are. */
  readonly shape?: readonly (number | string | null)[];
  /** An input that the model has a value for. */
  readonly optional?: true;
}

interface OnnxOperator {
  readonly operator: string;
  /** Left out for ONNX's own. */
  readonly domain?: string;
  readonly count: number;
}

/** What can be known of a model without running it. */
export interface OnnxFacts {
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
  readonly operators: readonly OnnxOperator[];
  /** Operators that neither the runtime nor the model itself defines, as `domain.operator`. */
  readonly customOperators: readonly string[];
  readonly opsets: readonly { readonly domain: string; readonly version: number }[];
  readonly irVersion: number;
  readonly producer?: string;
  /** Values in all initializers together. */
  readonly parameters: number;
  /** Files beside the model that its tensors are in. */
  readonly externalFiles: readonly string[];
}

/** The domains whose operators onnxruntime brings along. */
const KNOWN_DOMAINS: ReadonlySet<string> = new Set([
  '',
  'ai.onnx',
  'ai.onnx.ml',
  'ai.onnx.training',
  'ai.onnx.preview.training',
  'com.microsoft',
  'com.microsoft.experimental',
  'com.microsoft.nchwc',
]);

/** Subgraphs inside subgraphs; no exporter comes near. */
const MAX_DEPTH = 32;

export function readOnnx(file: Uint8Array): OnnxFacts {
  return new ModelReader().read(file);
}

class ModelReader {
  readonly #operators = new Map<string, { operator: string; domain: string; count: number }>();
  readonly #functions = new Set<string>();
  readonly #opsets: { domain: string; version: number }[] = [];
  readonly #external = new Set<string>();
  #graphs = 0;
  #irVersion = 0;
  #producer: string[] = [];
  #parameters = 0;
  #inputs: OnnxValue[] = [];
  #outputs: OnnxValue[] = [];

  read(file: Uint8Array): OnnxFacts {
    for (const field of fieldsOf(file)) this.#modelField(field);
    if (this.#graphs !== 1 || this.#irVersion < 1 || this.#opsets.length === 0 || this.#outputs.length === 0)
      throw new FormatError('it is not an ONNX model, or it is damaged');
    const operators = [...this.#operators.values()].sort((a, b) => b.count - a.count);
    const custom = operators.filter(
      ({ operator, domain }) => !KNOWN_DOMAINS.has(domain) && !this.#functions.has(keyOf(domain, operator)),
    );
    return {
      inputs: this.#inputs,
      outputs: this.#outputs,
      operators: operators.map(({ operator, domain, count }) => ({ operator, ...(domain && { domain }), count })),
      customOperators: custom.map(({ operator, domain }) => `${domain}.${operator}`),
      opsets: this.#opsets,
      irVersion: this.#irVersion,
      ...(this.#producer.length > 0 && { producer: this.#producer.join(' ') }),
      parameters: this.#parameters,
      externalFiles: [...this.#external],
    };
  }

  #modelField(field: Field): void {
    if (field.number === 1) this.#irVersion = sizeOf(integerOf(field));
    else if (field.number === 2 || field.number === 3) this.#producer.push(...[textOf(field)].filter(Boolean));
    else if (field.number === 7) {
      this.#graphs++;
      this.#mainGraph(messageOf(field));
    } else if (field.number === 8) this.#opsets.push(opsetOf(messageOf(field)));
    else if (field.number === 20) this.#training(messageOf(field));
    else if (field.number === 25) this.#function(messageOf(field));
  }

  #mainGraph(graph: Uint8Array): void {
    const inputs: OnnxValue[] = [];
    const initialized = new Set<string>();
    for (const field of fieldsOf(graph)) {
      if (field.number === 11) inputs.push(valueFrom(messageOf(field)));
      else if (field.number === 12) this.#outputs.push(valueFrom(messageOf(field)));
      else if (field.number === 5) initialized.add(this.#tensor(messageOf(field)));
    }
    // Older models list their initializers among the inputs.
    this.#inputs = inputs.map((input) => (initialized.has(input.name) ? { ...input, optional: true } : input));
    this.#nodesIn(graph, 0);
  }

  /** Everything of a graph but the initializers of the main one. */
  #nodesIn(graph: Uint8Array, depth: number): void {
    if (depth > MAX_DEPTH) throw new FormatError('its subgraphs are nested too deeply');
    for (const field of fieldsOf(graph)) {
      if (field.number === 1) this.#node(messageOf(field), depth);
      else if (field.number === 5 && depth > 0) this.#tensor(messageOf(field));
      else if (field.number === 15) this.#sparse(messageOf(field));
    }
  }

  #node(node: Uint8Array, depth: number): void {
    let operator = '';
    let domain = '';
    for (const field of fieldsOf(node)) {
      if (field.number === 4) operator = textOf(field);
      else if (field.number === 7) domain = textOf(field);
      else if (field.number === 5) this.#attribute(messageOf(field), depth);
    }
    if (operator === '') throw new FormatError('a node in it has no operator');
    const key = keyOf(domain, operator);
    const known = this.#operators.get(key) ?? { operator, domain: domain === 'ai.onnx' ? '' : domain, count: 0 };
    known.count++;
    this.#operators.set(key, known);
  }

  #attribute(attribute: Uint8Array, depth: number): void {
    for (const field of fieldsOf(attribute)) {
      if (field.number === 5 || field.number === 10) this.#tensor(messageOf(field));
      else if (field.number === 6 || field.number === 11) this.#nodesIn(messageOf(field), depth + 1);
      else if (field.number === 22 || field.number === 23) this.#sparse(messageOf(field));
    }
  }

  #sparse(sparse: Uint8Array): void {
    for (const field of fieldsOf(sparse)) {
      if (field.number === 1 || field.number === 2) this.#tensor(messageOf(field));
    }
  }

  /** Counts it, notes the file that it is in, and returns its name. */
  #tensor(tensor: Uint8Array): string {
    let name = '';
    let count = 1;
    for (const field of fieldsOf(tensor)) {
      if (field.number === 1) for (const size of integersIn(field)) count *= sizeOf(size);
      else if (field.number === 8) name = textOf(field);
      else if (field.number === 13) this.#externalEntry(messageOf(field));
    }
    if (!Number.isSafeInteger(count)) throw new FormatError(`the shape of its tensor '${name}' is out of all bounds`);
    this.#parameters += count;
    return name;
  }

  #externalEntry(entry: Uint8Array): void {
    const { key, value } = entryOf(entry);
    if (key === 'location') this.#external.add(value);
  }

  #training(info: Uint8Array): void {
    for (const field of fieldsOf(info)) {
      if (field.number === 1 || field.number === 2) this.#nodesIn(messageOf(field), 1);
    }
  }

  #function(definition: Uint8Array): void {
    let name = '';
    let domain = '';
    for (const field of fieldsOf(definition)) {
      if (field.number === 1) name = textOf(field);
      else if (field.number === 10) domain = textOf(field);
      else if (field.number === 7) this.#node(messageOf(field), 0);
      else if (field.number === 11) this.#attribute(messageOf(field), 0);
    }
    this.#functions.add(keyOf(domain, name));
  }
}

/** Key and value of a StringStringEntryProto. */
export function entryOf(entry: Uint8Array): { key: string; value: string } {
  let key = '';
  let value = '';
  for (const field of fieldsOf(entry)) {
    if (field.number === 1) key = textOf(field);
    else if (field.number === 2) value = textOf(field);
  }
  return { key, value };
}

export function sizeOf(value: bigint): number {
  if (value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) throw new FormatError('a size in it is out of all bounds');
  return Number(value);
}

function opsetOf(opset: Uint8Array): { domain: string; version: number } {
  let domain = '';
  let version = 0;
  for (const field of fieldsOf(opset)) {
    if (field.number === 1) domain = textOf(field);
    else if (field.number === 2) version = sizeOf(integerOf(field));
  }
  return { domain: domain === '' ? 'ai.onnx' : domain, version };
}

function valueFrom(info: Uint8Array): OnnxValue {
  let name = '';
  let type: Omit<OnnxValue, 'name'> = { type: 'unknown' };
  for (const field of fieldsOf(info)) {
    if (field.number === 1) name = textOf(field);
    else if (field.number === 2) type = typeOf(messageOf(field));
  }
  return { name, ...type };
}

const CONTAINERS: Readonly<Record<number, string>> = { 4: 'sequence', 5: 'map', 8: 'sparse tensor', 9: 'optional' };

function typeOf(type: Uint8Array): Omit<OnnxValue, 'name'> {
  for (const field of fieldsOf(type)) {
    if (field.number === 1) return tensorTypeOf(messageOf(field));
    if (CONTAINERS[field.number]) return { type: CONTAINERS[field.number]! };
  }
  return { type: 'unknown' };
}

function tensorTypeOf(tensor: Uint8Array): Omit<OnnxValue, 'name'> {
  let type = 'unknown';
  let shape: (number | string | null)[] | undefined;
  for (const field of fieldsOf(tensor)) {
    if (field.number === 1) type = elementTypeName(sizeOf(integerOf(field)));
    else if (field.number === 2)
      shape = [...fieldsOf(messageOf(field))].flatMap((dim) => (dim.number === 1 ? [dimOf(messageOf(dim))] : []));
  }
  return { type, ...(shape && { shape }) };
}

function dimOf(dim: Uint8Array): number | string | null {
  let size: number | string | null = null;
  for (const field of fieldsOf(dim)) {
    if (field.number === 1) size = integerOf(field) < 0n ? null : sizeOf(integerOf(field));
    else if (field.number === 2) size = textOf(field) || null;
  }
  return size;
}

function keyOf(domain: string, operator: string): string {
  return `${domain === 'ai.onnx' ? '' : domain}\n${operator}`;
}
