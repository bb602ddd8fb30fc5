import { useState } from 'preact/hooks';
import { bytes, number } from '../../lib/format.ts';
import { useLoaded, useRested } from '../../lib/hooks.ts';
import { callTool, failureOf } from '../../lib/mcp.ts';
import { describeTensor, getTensor, rowsOf } from '../../lib/tensors.ts';
import { t } from '../../lib/texts.ts';
import { DataTable } from '../data-table.tsx';
import { Failure, Loading } from '../states.tsx';
import { Lineage } from './lineage.tsx';

const KINDS = {
  auto: t('auto'),
  heatmap: t('heatmap'),
  line: t('line plot'),
  histogram: t('histogram'),
  values: t('values'),
};
type Kind = keyof typeof KINDS;

/** One tensor: picture, values, slice, figures, and where it came from. */
export function TensorView({ id }: { id: string }) {
  const [kind, setKind] = useState<Kind>('auto');
  const [slice, setSlice] = useState('');
  const rested = useRested(slice.trim(), 250);
  const about = useLoaded((signal) => describeTensor(id, signal), [id]);
  if (about.error) return <Failure error={about.error} next={t('The list shows all readable tensors.')} />;
  if (!about.value) return <Loading what={t('the tensor')} />;
  const { metadata, statistics, sha256, size_bytes: size } = about.value;
  return (
    <article>
      <p>
        <a href="#/tensors">{t('← All tensors')}</a> ·{' '}
        <a href={`#/tensors/compare?${new URLSearchParams({ a: id })}`}>{t('Compare with another')}</a>
      </p>
      <h2>{String(metadata.user_name)}</h2>
      <p>{String(metadata.description)}</p>
      <p class="tags">
        <span class="tag">{String(metadata.original_dtype)}</span>
        <code>{String(metadata.original_shape)}</code>
        <span class="hint">{bytes(size)}</span>
        <span class="hint" title={sha256}>
          {`sha256 ${sha256.slice(0, 12)}…`}
        </span>
      </p>
      <div class="filters">
        <div class="actions" role="group" aria-label={t('How to show it')}>
          {(Object.keys(KINDS) as Kind[]).map((name) => (
            <button type="button" key={name} aria-pressed={kind === name} onClick={() => setKind(name)}>
              {KINDS[name]}
            </button>
          ))}
        </div>
        <label>
          {t('Slice')}
          <input
            placeholder={t('as in NumPy: {example}', { example: '0:10, :, -1' })}
            value={slice}
            onInput={(event) => setSlice(event.currentTarget.value)}
          />
        </label>
      </div>
      {kind === 'values' ? <ValuesTable id={id} slice={rested} /> : <Picture id={id} kind={kind} slice={rested} />}
      <h3>{t('Figures')}</h3>
      <dl class="figures">
        {Object.entries(statistics).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>{typeof value === 'number' ? number(value) : String(value ?? '–')}</dd>
          </div>
        ))}
      </dl>
      <Lineage id={id} />
    </article>
  );
}

export function Picture({ id, kind, slice }: { id: string; kind: Kind; slice: string }) {
  const picture = useLoaded(
    async (signal) => {
      const result = await callTool('plot_tensor', { name_or_uuid: id, kind, ...(slice && { slice }) }, { signal });
      if (result.isError) throw new Error(failureOf(result));
      return result.content.find((part) => part.type === 'image');
    },
    [id, kind, slice],
  );
  if (picture.error) return <Failure error={picture.error} />;
  if (picture.value?.type !== 'image') return <Loading what={t('the picture')} />;
  return (
    <img
      class="picture chart"
      src={`data:${picture.value.mimeType};base64,${picture.value.data}`}
      alt={t('The tensor as {kind}', { kind: kind === 'auto' ? t('a picture') : KINDS[kind] })}
    />
  );
}

function ValuesTable({ id, slice }: { id: string; slice: string }) {
  const values = useLoaded((signal) => getTensor(id, slice, signal), [id, slice]);
  if (values.error) return <Failure error={values.error} />;
  if (!values.value) return <Loading what={t('the values')} />;
  const rows = rowsOf(values.value.values).slice(0, 200);
  const width = Math.min(Math.max(...rows.map(({ cells }) => cells.length), 1), 100);
  const columns = ['index', ...Array.from({ length: width }, (_, at) => String(at))];
  return (
    <>
      {values.value.truncated && <p class="hint">{t('Only the beginning is shown; a slice shows another part.')}</p>}
      <DataTable
        columns={columns}
        rows={rows.map(({ index, cells }) => [
          index,
          ...cells.slice(0, width).map((cell) => (typeof cell === 'number' ? number(cell) : cell)),
        ])}
      />
    </>
  );
}
