import type { Edge } from './graph/layout.ts';
import { request } from './mcp.ts';
import { linkTo } from './route.ts';
import { plural, t } from './texts.ts';

export interface Origin {
  readonly model_uuid?: string;
  readonly model_name?: string;
  readonly input_uuids?: readonly string[];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly duration_ms?: number;
  /** Of transform_tensor. */
  readonly steps?: readonly Readonly<Record<string, unknown>>[];
  /** That it was imported from. */
  readonly file?: string;
}

export interface Ancestor {
  readonly uuid: string;
  /** Undefined where it was deleted. */
  readonly name?: string;
  readonly origin?: Origin;
}

/** More ancestors than this are not drawn. */
const MOST = 60;

/** A tensor, what it was made from, what that was made from, and so on. */
export async function readAncestors(id: string, signal: AbortSignal): Promise<readonly Ancestor[]> {
  const found = new Map<string, Ancestor>();
  let next = [id];
  while (next.length > 0 && found.size < MOST) {
    const read = await Promise.all(next.slice(0, MOST - found.size).map((uuid) => readAncestor(uuid, signal)));
    for (const one of read) found.set(one.uuid, one);
    next = [...new Set(read.flatMap(({ origin }) => inputsOf(origin).map(([, uuid]) => uuid)))].filter(
      (uuid) => !found.has(uuid),
    );
  }
  return [...found.values()];
}

async function readAncestor(uuid: string, signal: AbortSignal): Promise<Ancestor> {
  try {
    const { contents } = await request<{ contents: { text?: string }[] }>(
      'resources/read',
      { uri: `tensor://${uuid}` },
      { signal },
    );
    const metadata = JSON.parse(contents[0]?.text ?? '{}') as { user_name?: string; lineage?: Origin };
    return { uuid, name: metadata.user_name ?? '', ...(metadata.lineage && { origin: metadata.lineage }) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { uuid };
  }
}

/** The inputs by the role that each had. */
export function inputsOf(origin: Origin | undefined): readonly (readonly [role: string, uuid: string])[] {
  if (origin?.inputs) return Object.entries(origin.inputs);
  return (origin?.input_uuids ?? []).map((uuid) => [uuid.slice(0, 8), uuid] as const);
}

/** What made a tensor: a model, steps or a file. */
export function makerOf({ steps, model_name: name, model_uuid: uuid, file }: Origin): string {
  return file ?? (steps ? plural(steps.length, 'step') : (name ?? uuid ?? ''));
}

/** Tensors and what made each of them, from the oldest to the one that is looked at. */
export function lineageGraph(ancestors: readonly Ancestor[]) {
  const known = new Set(ancestors.map(({ uuid }) => uuid));
  const edges: Edge[] = [];
  const nodes = ancestors.flatMap(({ uuid, name, origin }, index) => {
    const label = index === 0 ? t('this tensor') : (name ?? t('deleted'));
    const tensor = {
      id: uuid,
      label,
      kind: index === 0 ? ('own' as const) : ('value' as const),
      about: name || uuid,
      ...(index > 0 && name !== undefined && { href: linkTo('tensors', uuid) }),
    };
    if (!origin) return [tensor];
    const maker = `by ${uuid}`;
    edges.push({ from: maker, to: uuid });
    for (const [, input] of inputsOf(origin)) if (known.has(input)) edges.push({ from: input, to: maker });
    const { model_uuid: model } = origin;
    const href = model !== undefined && { href: linkTo('tensors', 'models', model) };
    return [tensor, { id: maker, label: makerOf(origin), kind: 'operator' as const, ...href }];
  });
  return { nodes, edges };
}
