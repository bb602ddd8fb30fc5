import { useCallback, useState } from 'preact/hooks';
import { useAction } from '../lib/hooks.ts';
import { listMemories } from '../lib/lake/lake.ts';
import { ask } from '../lib/mcp.ts';
import { t } from '../lib/texts.ts';
import { EmbeddingMap } from '../parts/embeddings/embedding-map.tsx';
import { ModelList } from '../parts/embeddings/model-list.tsx';
import { SimilarityMatrix } from '../parts/embeddings/similarity-matrix.tsx';
import { Absent, Failure } from '../parts/states.tsx';
import { has, type PageProps } from './page.ts';

export interface Embedded {
  readonly texts: readonly string[];
  readonly vectors: readonly (readonly number[])[];
}

const EXAMPLE = t(
  'The cat sleeps on the sofa\nA kitten naps on the couch\nStock prices fell on Monday\nShares lost value this week\nBoil the pasta for nine minutes\nSimmer the sauce until it thickens',
);
const MOST = 200;

/** Texts or memories on a plane: what is alike lies close. */
export function Embeddings({ tools }: PageProps) {
  const [text, setText] = useState(EXAMPLE);
  const act = useCallback(async (signal: AbortSignal, source: 'texts' | 'lake', typed: string) => {
    const texts = source === 'texts' ? linesOf(typed) : await summaries(signal);
    if (texts.length < 2)
      throw new Error(
        source === 'texts' ? t('Two or more lines make a map.') : t('Two or more documents in the lake make a map.'),
      );
    return embed(texts, signal);
  }, []);
  const map = useAction(act);
  if (!has(tools, 'embedding_batch')) return <Absent server="cortex-embeddings" />;
  return (
    <>
      <label class="search">
        <span>{t('One text a line')}</span>
        <textarea rows={6} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <div class="actions">
        <button type="button" class="primary" disabled={map.isRunning} onClick={() => map.run('texts', text)}>
          {map.isRunning ? t('Embedding …') : t('Draw a map of these texts')}
        </button>
        {has(tools, 'list_memories') && (
          <button type="button" disabled={map.isRunning} onClick={() => map.run('lake', '')}>
            {t('Draw a map of the lake')}
          </button>
        )}
      </div>
      {map.error && <Failure error={map.error} />}
      {map.value && (
        <>
          <EmbeddingMap embedded={map.value} />
          {map.value.texts.length <= 40 && <SimilarityMatrix embedded={map.value} />}
        </>
      )}
      <ModelList />
    </>
  );
}

async function embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded> {
  const answer = await ask<{ embeddings: number[][] }>('embedding_batch', { texts, normalize: true }, { signal });
  return { texts, vectors: answer.embeddings };
}

async function summaries(signal: AbortSignal): Promise<string[]> {
  const { memories } = await listMemories(0, MOST, signal);
  return memories
    .filter(({ status }) => status === 'ready')
    .map(({ name, summary }) => `${name} ${summary ?? ''}`.trim().slice(0, 800));
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MOST);
}
