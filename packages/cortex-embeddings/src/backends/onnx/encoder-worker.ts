import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { e5Small } from '../../domain/graphs/e5-small.ts';
import { normaliseForXlmr } from '../../domain/graphs/sentencepiece-model.ts';
import { useMultilingual } from '../../domain/graphs/use-multilingual.ts';
import { type InstalledModel, tokenizerFile } from '../../domain/models/installed-model.ts';
import { ModelProblem } from '../model-problem.ts';
import { hashFile } from '../models/file-hash.ts';
import { type LoadedModel, runWorker } from '../workers/worker-program.ts';
import { runnerFor, scorePair } from './encoder-run.ts';
import { openSentencePiece, openTokenizer } from './encoder-tokens.ts';
import { openSession, type Runtime } from './ort-session.ts';

export interface EncoderSettings {
  readonly folder: string;
  readonly model: InstalledModel;
  readonly runtime: Runtime | 'auto';
}

const tokenizers = {
  onnx: openTokenizer,
  use: openSentencePiece(useMultilingual),
  e5: openSentencePiece({ ...e5Small, normalise: normaliseForXlmr }),
} satisfies Record<InstalledModel['format'], unknown>;

await runWorker(load);

async function load({ folder, model, runtime }: EncoderSettings): Promise<LoadedModel> {
  await Promise.all(Object.keys(model.files).map((file) => checkFile(folder, file, model)));
  const tokenizerPath = join(folder, tokenizerFile(model));
  const encode = await tokenizers[model.format](tokenizerPath, model.maxTokens).catch((cause: unknown) => {
    throw new ModelProblem(`the tokenizer of "${model.name}" cannot be read`, repair(model), cause);
  });
  const session = await openSession(await readFile(join(folder, 'model.onnx')), runtime).catch((cause: unknown) => {
    if (cause instanceof ModelProblem) throw cause;
    throw new ModelProblem(`the graph of "${model.name}" cannot be opened`, repair(model), cause);
  });
  const { nativeProblem } = session;
  const run = model.kind === 'embedding' ? runnerFor(model, session) : undefined;
  return {
    report: {
      backend: session.runtime,
      notes: { ...(nativeProblem && { native_runtime: nativeProblem.reason }) },
      warnings: nativeProblem ? [nativeProblem.cause] : [],
    },
    async embed(texts, normalize) {
      if (!run) throw new Error(`"${model.name}" makes no vectors`);
      const encoded = texts.map((text) => encode(text));
      const vectors = await run(encoded, normalize);
      return encoded.map(({ tokens, truncated }, index) => ({ vector: vectors[index]!, tokens, truncated }));
    },
    count(text) {
      const { tokens, truncated } = encode(text);
      return { tokens, truncated };
    },
    async score(query, texts) {
      const scores: number[] = [];
      for (const text of texts) scores.push(await scorePair(session, encode(query, text)));
      return scores;
    },
  };
}

async function checkFile(folder: string, file: string, model: InstalledModel): Promise<void> {
  const found = await hashFile(join(folder, file));
  if (found?.sha256 === model.files[file]!.sha256) return;
  throw new ModelProblem(
    `${file} of "${model.name}" is ${found ? 'not the file that was installed' : 'missing'}`,
    repair(model),
  );
}

function repair({ name, source }: InstalledModel): string {
  return `Run: cortex-embeddings models pull ${source.kind === 'folder' ? source.path : name}`;
}
