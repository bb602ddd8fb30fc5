import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import { figure, namePattern, tensorFacts, tensorFactsOf } from '../schemas.ts';

const checkpoint = z
  .string()
  .min(1)
  .describe(
    `What its tensors' names begin with ("model" for model.layer1.weight), name@2 for the second import of that name, an import_id, or a pattern such as "run7.*.weight"`,
  );
const size = z.object({ tensors: z.int(), size_bytes: z.int() });

export const compareCheckpoints = defineTool({
  name: 'compare_checkpoints',
  title: 'Compare two checkpoints',
  description:
    'Compares all tensors of two imports or name patterns: which were added, removed, renamed (same values) and changed, the largest change first, ' +
    'with a picture. Any size; tensors with equal hashes are not read.',
  keywords: 'what changed between training steps, epochs, versions of weights; diff',
  input: z.object({
    a: checkpoint,
    b: checkpoint,
    pattern: namePattern.describe("Only tensors whose names, after the checkpoint's, match this"),
    limit: z.int().min(1).max(1000).default(50).describe('Maximum to list of each kind'),
  }),
  output: z.object({
    a: size,
    b: size,
    counts: z.object({
      added: z.int(),
      removed: z.int(),
      renamed: z.int(),
      changed: z.int(),
      unchanged: z.int(),
    }),
    changed: z.array(
      z.object({
        key: z.string().describe('What both names have after that of the checkpoint'),
        a: tensorFacts,
        b: tensorFacts,
        relative_norm: figure.describe('Length of the difference divided by the length of a; null when shapes differ'),
        max_abs: figure,
        mean_abs: figure,
        cosine: figure,
        differing: z.int().nullable(),
        new_nan: z.int().nullable(),
        new_infinite: z.int().nullable(),
      }),
    ),
    added: z.array(tensorFacts),
    removed: z.array(tensorFacts),
    renamed: z.array(z.object({ from: z.string(), to: z.string() })),
    message: z.string(),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  errors: ['NOT_FOUND', 'TOO_MANY', 'DAMAGED', 'STORAGE_FAILED'],
  async run({ a, b, pattern, limit }, { service, signal, attach }) {
    const found = await service.compareCheckpoints({ a, b, pattern }, signal);
    if (found.png) attach({ type: 'image', data: found.png.toString('base64'), mimeType: 'image/png' });
    return {
      a: { tensors: found.sizes.a.tensors, size_bytes: found.sizes.a.bytes },
      b: { tensors: found.sizes.b.tensors, size_bytes: found.sizes.b.bytes },
      counts: {
        added: found.added.length,
        removed: found.removed.length,
        renamed: found.renamed.length,
        changed: found.changed.length,
        unchanged: found.unchanged,
      },
      changed: found.changed.slice(0, limit).map(({ key, a: left, b: right, figures }) => ({
        key,
        a: tensorFactsOf(left),
        b: tensorFactsOf(right),
        relative_norm: figures?.relativeNorm ?? null,
        max_abs: figures?.maxAbs ?? null,
        mean_abs: figures?.meanAbs ?? null,
        cosine: figures?.cosine ?? null,
        differing: figures?.differing ?? null,
        new_nan: figures?.newNan ?? null,
        new_infinite: figures?.newInf ?? null,
      })),
      added: found.added.slice(0, limit).map(tensorFactsOf),
      removed: found.removed.slice(0, limit).map(tensorFactsOf),
      renamed: found.renamed.slice(0, limit).map(({ from, to }) => ({ from: from.name, to: to.name })),
      message: found.sentence,
    };
  },
});
