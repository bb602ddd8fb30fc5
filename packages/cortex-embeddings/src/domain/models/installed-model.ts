import { z } from 'zod';

const sourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('npm'), package: z.string(), version: z.string() }),
  z.object({
    kind: z.literal('pypi'),
    package: z.string(),
    version: z.string(),
    sha256: z.string(),
    platform: z.string().optional(),
  }),
  z.object({ kind: z.literal('maven'), package: z.string(), version: z.string(), sha256: z.string() }),
  z.object({ kind: z.literal('hub'), repository: z.string(), revision: z.string() }),
  z.object({ kind: z.literal('folder'), path: z.string() }),
]);

/** What is kept beside the files of a model that was pulled. */
export const installedModelSchema = z.object({
  name: z.string(),
  kind: z.enum(['embedding', 'reranker']),
  format: z.enum(['onnx', 'use', 'e5']),
  languages: z.array(z.string()),
  dimensions: z.int().min(0),
  maxTokens: z.int().min(2),
  pooling: z.enum(['mean', 'cls', 'given']),
  prompts: z.object({ query: z.string(), passage: z.string() }),
  licence: z.string(),
  source: sourceSchema,
  /** Every file that decides on a vector, by its name in the model's folder. */
  files: z.record(z.string(), z.object({ sha256: z.string().length(64), bytes: z.int().min(0) })),
});

export type InstalledModel = z.output<typeof installedModelSchema>;

/** Names everything that can change a vector: the graph, the tokenizer, the pooling and the length. */
export function identityOf({ name, files, pooling, maxTokens }: InstalledModel): string {
  const hashes = Object.keys(files)
    .sort()
    .map((file) => files[file]!.sha256.slice(0, 12));
  return [name, ...hashes, pooling, `${maxTokens}-tokens`].join('/');
}

/** The tokenizer's file in a model's folder. */
export const tokenizerFile = ({ format }: Pick<InstalledModel, 'format'>): string =>
  format === 'onnx' ? 'tokenizer.json' : 'sp.model';
