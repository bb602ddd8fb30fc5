import { damaged, MessageStream } from './message-stream.ts';
import { fieldsOf, textOf } from './protobuf.ts';

/** An operator of a graph with the names of the values that it takes and gives. */
export interface GraphNode {
  readonly operator: string;
  readonly name?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface ModelGraph {
  /** The first of them, in the order of the file. */
  readonly nodes: readonly GraphNode[];
  readonly nodesTotal: number;
}

const MAX_NODES = 2_000;
/** A node holds its attributes, which may be tensors; only its ends are of interest here. */
const MAX_NODE_BYTES = 64 << 20;
const GRAPH = 7;
const NODE = 1;

/** The main graph of an ONNX file. Weights are skipped as they come, so that the file is never held. */
export async function readGraph(file: AsyncIterable<Uint8Array>): Promise<ModelGraph> {
  const stream = new MessageStream(file);
  const nodes: GraphNode[] = [];
  let nodesTotal = 0;
  try {
    for (let field = await stream.next(); field; field = await stream.next()) {
      if (field.number !== GRAPH) {
        await stream.skip(field.length);
        continue;
      }
      const end = stream.position + field.length;
      while (stream.position < end) {
        const part = await stream.next();
        if (!part || stream.position + part.length > end) throw damaged();
        if (part.number !== NODE || nodesTotal++ >= MAX_NODES || part.length > MAX_NODE_BYTES)
          await stream.skip(part.length);
        else nodes.push(nodeFrom(await stream.take(part.length)));
      }
    }
  } finally {
    await stream.close();
  }
  return { nodes, nodesTotal };
}

function nodeFrom(node: Uint8Array): GraphNode {
  const inputs: string[] = [];
  const outputs: string[] = [];
  let [operator, name] = ['', ''];
  for (const field of fieldsOf(node)) {
    if (field.number === 1) inputs.push(textOf(field));
    else if (field.number === 2) outputs.push(textOf(field));
    else if (field.number === 3) name = textOf(field);
    else if (field.number === 4) operator = textOf(field);
  }
  return { operator, ...(name && { name }), inputs, outputs };
}
