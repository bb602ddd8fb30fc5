import { useCallback, useState } from 'preact/hooks';
import { useAction } from '../lib/hooks.ts';
import { listMemories } from '../lib/lake/lake.ts';
import { ask, type Progress } from '../lib/mcp.ts';
import { isMultilingual, languagesOf, useSetup } from '../lib/setup.ts';
import { t } from '../lib/texts.ts';
import { EmbeddingMap } from '../parts/embeddings/embedding-map.tsx';
import { ModelList } from '../parts/embeddings/model-list.tsx';
import { SimilarityMatrix } from '../parts/embeddings/similarity-matrix.tsx';
import { ProgressLine } from '../parts/progress-line.tsx';
import { Absent, Failure } from '../parts/states.tsx';
import { has, type PageProps } from './page.ts';

export interface Embedded {
  readonly texts: readonly string[];
  readonly vectors: readonly (readonly number[])[];
}

const EXAMPLE = t(
  'The cat sleeps on the sofa\nA kitten naps on the couch\nStock prices fell on Monday\nShares lost value this week\nBoil the pasta for nine minutes\nSimmer the sauce until it thickens',
);
/** The same three subjects in several languages; only a multilingual model puts them together. */
const LANGUAGES_EXAMPLE =
  'The ferry leaves at nine\nDie Fähre fährt um neun Uhr ab\nLe ferry part à neuf heures\n渡轮九点出发\nThe bread is still warm\nDas Brot ist noch warm\nEl pan todavía está caliente\n面包还是热的\nIt will rain tomorrow\nMorgen wird es regnen\nDomani pioverà\n明天会下雨';
/** As many as the map shows smoothly. */
const MOST = 5_000;
/** Texts in one request: few enough that progress is seen. */
const BATCH = 128;
/** Documents in one request. */
const PAGE = 200;

/** Texts or memories on a plane: what is alike lies close. */
export function Embeddings({ tools }: PageProps) {
  const [text, setText] = useState(EXAMPLE);
  const [done, setDone] = useState<Progress>();
  const [model, setModel] = useState('');
  const setup = useSetup();
  const models = (setup.setup.value?.models ?? []).filter(({ kind, installed }) => kind === 'embedding' && installed);
  const multilingual = models.find((one) => one.name === model && isMultilingual(one)) ?? models.find(isMultilingual);
  const act = useCallback(async (signal: AbortSignal, source: 'texts' | 'lake', typed: string, named: string) => {
    const texts = source === 'texts' ? linesOf(typed) : await summaries(signal);
    if (texts.length < 2)
      throw new Error(
        source === 'texts' ? t('Two or more lines make a map.') : t('Two or more documents in the lake make a map.'),
      );
    return embed(texts, named, signal, setDone);
  }, []);
  const map = useAction(act);
  if (!has(tools, 'embedding_batch')) return <Absent server="cortex-embeddings" />;
  return (
    <>
      <label class="search">
        <span>{t('One text per line')}</span>
        <textarea rows={6} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      {models.length > 0 && (
        <div class="filters">
          <label>
            {t('Model')}
            <select value={model} onChange={(event) => setModel(event.currentTarget.value)}>
              <option value="">{t('the one in use')}</option>
              {models.map((one) => (
                <option key={one.name} value={one.name}>
                  {one.name} ({languagesOf(one)})
                </option>
              ))}
            </select>
          </label>
          {multilingual ? (
            <button
              type="button"
              onClick={() => {
                setText(LANGUAGES_EXAMPLE);
                setModel(multilingual.name);
              }}
            >
              {t('Example in several languages')}
            </button>
          ) : (
            <p class="hint">{t('To compare texts across languages, install a model of several languages below.')}</p>
          )}
        </div>
      )}
      <div class="actions">
        <button type="button" class="primary" disabled={map.isRunning} onClick={() => map.run('texts', text, model)}>
          {map.isRunning ? t('Embedding …') : t('Draw a map of these texts')}
        </button>
        {has(tools, 'list_memories') && (
          <button type="button" disabled={map.isRunning} onClick={() => map.run('lake', '', model)}>
            {t('Draw a map of the lake')}
          </button>
        )}
        {map.isRunning && (
          <button type="button" onClick={map.cancel}>
            {t('Cancel')}
          </button>
        )}
      </div>
      {map.isRunning && <ProgressLine progress={done} />}
      {map.error && <Failure error={map.error} />}
      {map.value && (
        <>
          <EmbeddingMap embedded={map.value} />
          {map.value.texts.length <= 40 && <SimilarityMatrix embedded={map.value} />}
        </>
      )}
      <ModelList state={setup} />
    </>
  );
}

async function embed(
  texts: readonly string[],
  model: string,
  signal: AbortSignal,
  onProgress: (progress: Progress | undefined) => void,
): Promise<Embedded> {
  const vectors: number[][] = [];
  onProgress(undefined);
  while (vectors.length < texts.length) {
    const batch = texts.slice(vectors.length, vectors.length + BATCH);
    const answer = await ask<{ embeddings: number[][] }>(
      'embedding_batch',
      { texts: batch, normalize: true, ...(model && { model }) },
      { signal },
    );
    vectors.push(...answer.embeddings);
    if (texts.length > BATCH) onProgress({ progress: vectors.length, total: texts.length });
  }
  return { texts, vectors };
}

async function summaries(signal: AbortSignal): Promise<string[]> {
  const texts: string[] = [];
  for (let offset = 0; offset < MOST; offset += PAGE) {
    const { memories, n } = await listMemories(offset, PAGE, signal);
    const ready = memories.filter(({ status }) => status === 'ready');
    texts.push(...ready.map(({ name, summary }) => `${name} ${summary ?? ''}`.trim().slice(0, 800)));
    if (offset + memories.length >= n || memories.length === 0) break;
  }
  return texts;
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .slice(0, MOST);
}
