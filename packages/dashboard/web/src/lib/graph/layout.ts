/** What leads to what; an edge leads from an earlier node to a later one. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface Placed {
  readonly id: string;
  readonly layer: number;
  /** Place across the layers, in units of one node. */
  readonly across: number;
}

export interface GraphLayout {
  readonly nodes: ReadonlyMap<string, Placed>;
  /** Each edge by the places that it passes, one for each layer. */
  readonly edges: readonly (readonly Omit<Placed, 'id'>[])[];
  readonly layers: number;
  readonly width: number;
}

const SWEEPS = 8;

interface Slot {
  readonly key: string;
  readonly layer: number;
  across: number;
  readonly before: Slot[];
  readonly after: Slot[];
}

/** Layers from sources to results; long edges get a place in each layer that they pass, so that they run beside the nodes. */
export function layered(ids: readonly string[], edges: readonly Edge[]): GraphLayout {
  const layerOf = layersOf(ids, edges);
  const slots = new Map<string, Slot>();
  const layers: Slot[][] = [];
  const slotAt = (key: string, layer: number): Slot => {
    const slot: Slot = { key, layer, across: 0, before: [], after: [] };
    layers[layer] ??= [];
    layers[layer].push(slot);
    return slot;
  };
  for (const id of ids) slots.set(id, slotAt(id, layerOf.get(id) ?? 0));
  const paths = edges.flatMap(({ from, to }) => {
    const [start, end] = [slots.get(from), slots.get(to)];
    if (!start || !end || start.layer >= end.layer) return [];
    const path = [start];
    for (let layer = start.layer + 1; layer < end.layer; layer++) path.push(slotAt(`${from}\n${to}`, layer));
    path.push(end);
    for (let at = 1; at < path.length; at++) {
      path[at - 1]!.after.push(path[at]!);
      path[at]!.before.push(path[at - 1]!);
    }
    return [path];
  });
  const width = Math.max(1, ...layers.map(({ length }) => length));
  arrange(layers, width);
  return {
    nodes: new Map([...slots].map(([id, { layer, across }]) => [id, { id, layer, across }])),
    edges: paths.map((path) => path.map(({ layer, across }) => ({ layer, across }))),
    layers: layers.length,
    width,
  };
}

/** The longest way from a source to each node. Nodes of a cycle, which no model has, end up in the first layer. */
function layersOf(ids: readonly string[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const after = new Map<string, string[]>();
  const waiting = new Map(ids.map((id) => [id, 0]));
  for (const { from, to } of edges) {
    if (!waiting.has(from) || !waiting.has(to)) continue;
    after.set(from, [...(after.get(from) ?? []), to]);
    waiting.set(to, waiting.get(to)! + 1);
  }
  const layers = new Map(ids.map((id) => [id, 0]));
  const ready = ids.filter((id) => waiting.get(id) === 0);
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    for (const next of after.get(id) ?? []) {
      layers.set(next, Math.max(layers.get(next)!, layers.get(id)! + 1));
      waiting.set(next, waiting.get(next)! - 1);
      if (waiting.get(next) === 0) ready.push(next);
    }
  }
  return layers;
}

/** Brings each slot near the middle of those that it is joined to, forth and back, and keeps them one unit apart. */
function arrange(layers: readonly Slot[][], width: number): void {
  for (const layer of layers) for (const [at, slot] of layer.entries()) slot.across = at + (width - layer.length) / 2;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      const wanted = new Map(layer.map((slot) => [slot, middleOf(isDown ? slot.before : slot.after, slot.across)]));
      layer.sort((one, other) => wanted.get(one)! - wanted.get(other)!);
      spread(layer, wanted, width);
    }
  }
}

function middleOf(slots: readonly Slot[], otherwise: number): number {
  if (slots.length === 0) return otherwise;
  return slots.reduce((sum, { across }) => sum + across, 0) / slots.length;
}

function spread(layer: readonly Slot[], wanted: ReadonlyMap<Slot, number>, width: number): void {
  let least = 0;
  for (const [at, slot] of layer.entries()) {
    const most = width - (layer.length - at);
    slot.across = Math.min(most, Math.max(least, wanted.get(slot)!));
    least = slot.across + 1;
  }
}
