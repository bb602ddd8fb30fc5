import { useState } from 'preact/hooks';
import { useLoaded, useRested } from '../lib/hooks.ts';
import type { Schema, Tool } from '../lib/mcp.ts';
import { linkTo } from '../lib/route.ts';
import { choicesOf } from '../lib/schema.ts';
import { searchTensors, type TensorRow } from '../lib/tensors.ts';
import { plural, t, tx } from '../lib/texts.ts';
import { Absent, Empty, Failure, Loading } from '../parts/states.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { CheckView } from '../parts/tensors/check-view.tsx';
import { CompareView } from '../parts/tensors/compare-view.tsx';
import { ModelsView } from '../parts/tensors/models-view.tsx';
import { TensorView } from '../parts/tensors/tensor-view.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { find, type PageProps } from './page.ts';

/** The directory with its filters; one tensor, looked at from all sides. */
export function Tensors({ tools, rest, query }: PageProps) {
  const [chosen = '', part] = rest;
  const isPart = TABS.some(({ key }) => key === chosen);
  const search = find(tools, 'search_tensors');
  if (!search) return <Absent server="tensor-directory" />;
  return (
    <>
      <Tabs label={t('Parts of the directory')} page="tensors" tabs={TABS} chosen={isPart ? chosen : ''} />
      {chosen === '' && <Directory search={search} />}
      {chosen === 'compare' && <CompareView key={String(query)} query={query} />}
      {chosen === 'check' && <CheckView />}
      {chosen === 'models' && <ModelsView id={part} />}
      {!isPart && <TensorView key={chosen} id={chosen} />}
    </>
  );
}

const TABS = [
  { key: '', title: t('Directory') },
  { key: 'compare', title: t('Compare') },
  { key: 'check', title: t('Check') },
  { key: 'models', title: t('Models') },
];

function Directory({ search }: { search: Tool }) {
  const [text, setText] = useState('');
  const [dtype, setDtype] = useState('');
  const [axes, setAxes] = useState('');
  const rested = useRested(text, 180);
  const filters = { text: rested, dtype, axes };
  const keys = [rested, dtype, axes];
  const first = useLoaded((signal) => searchTensors(filters, 0, 1, signal), keys);
  const total = first.value?.total_items_in_collection;
  return (
    <>
      <div class="filters">
        <label>
          {t('Name or description')}
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <label class="choice">
          {t('Type')}
          <select value={dtype} onChange={(event) => setDtype(event.currentTarget.value)}>
            <option value="">{t('any')}</option>
            {dtypesOf(search).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        <label class="narrow">
          {t('Axes')}
          <input
            type="number"
            min={0}
            max={32}
            placeholder={t('any')}
            value={axes}
            onInput={(event) => setAxes(event.currentTarget.value)}
          />
        </label>
      </div>
      {first.error && <Failure error={first.error} />}
      {total === undefined && !first.error && <Loading what={t('the directory')} />}
      {total === 0 && (
        <Empty title={keys.some(Boolean) ? t('No tensor fits these filters') : t('The directory is empty')}>
          <p>
            {tx('Upload one with <a>upload_tensor</a>, or import a file with <a2>import_tensors</a2>.', {
              a: (text) => <a href={linkTo('tools', 'upload_tensor')}>{text}</a>,
              a2: (text) => <a href={linkTo('tools', 'import_tensors')}>{text}</a>,
            })}
          </p>
        </Empty>
      )}
      {total !== undefined && total > 0 && (
        <section>
          <h2 aria-live="polite">{plural(total, 'tensor')}</h2>
          <VirtualList
            total={total}
            rowHeight={44}
            label={t('Tensors')}
            keys={[...keys, total]}
            load={async (offset, limit, signal) => (await searchTensors(filters, offset, limit, signal)).tensors}
            row={(tensor) => <Row tensor={tensor} />}
          />
        </section>
      )}
    </>
  );
}

/** The element types there are, as the tool itself lists them. */
function dtypesOf({ inputSchema }: Tool): readonly string[] {
  const { dtype } = (inputSchema.properties ?? {}) as Record<string, Schema>;
  return (dtype && choicesOf(dtype)?.map(String)) ?? [];
}

function Row({ tensor }: { tensor: TensorRow }) {
  return (
    <a class="memory" href={linkTo('tensors', tensor.uuid)}>
      <span class="tag">{tensor.original_dtype}</span>
      <strong>{tensor.user_name}</strong>
      <code>{tensor.original_shape}</code>
      <span class="hint more">{tensor.description}</span>
    </a>
  );
}
