import { useState } from 'preact/hooks';
import { plural } from '../lib/format.ts';
import { useLoaded, useRested } from '../lib/hooks.ts';
import { linkTo } from '../lib/route.ts';
import { searchTensors, type TensorRow } from '../lib/tensors.ts';
import { ModelRunner } from '../parts/model-runner.tsx';
import { Absent, Empty, Failure, Loading } from '../parts/states.tsx';
import { TensorView } from '../parts/tensor-view.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { has, type PageProps } from './page.ts';

const DTYPES = [
  'bool',
  'int8',
  'int16',
  'int32',
  'int64',
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'float16',
  'float32',
  'float64',
];

/** The directory with its filters; one tensor, looked at from all sides. */
export function Tensors({ tools, rest }: PageProps) {
  const [text, setText] = useState('');
  const [dtype, setDtype] = useState('');
  const rested = useRested(text, 180);
  const filters = { text: rested, dtype };
  const first = useLoaded((signal) => searchTensors(filters, 0, 1, signal), [rested, dtype]);
  if (!has(tools, 'search_tensors')) return <Absent server="tensor-directory" />;
  if (rest[0]) return <TensorView key={rest[0]} id={rest[0]} />;
  const total = first.value?.total_items_in_collection;
  return (
    <>
      <div class="filters">
        <label>
          Name or description
          <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <label>
          Type
          <select value={dtype} onChange={(event) => setDtype(event.currentTarget.value)}>
            <option value="">any</option>
            {DTYPES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      {first.error && <Failure error={first.error} />}
      {total === undefined && !first.error && <Loading what="the directory" />}
      {total === 0 && (
        <Empty title={text || dtype ? 'No tensor fits these filters' : 'The directory is empty'}>
          <p>
            Upload one with <a href={linkTo('tools', 'upload_tensor')}>upload_tensor</a>, or import a file with{' '}
            <a href={linkTo('tools', 'import_tensors')}>import_tensors</a>.
          </p>
        </Empty>
      )}
      {total !== undefined && total > 0 && (
        <section>
          <h2>{plural(total, 'tensor')}</h2>
          <VirtualList
            total={total}
            rowHeight={44}
            label="Tensors"
            keys={[rested, dtype, total]}
            load={async (offset, limit, signal) => (await searchTensors(filters, offset, limit, signal)).tensors}
            row={(tensor) => <Row tensor={tensor} />}
          />
        </section>
      )}
      <ModelRunner />
    </>
  );
}

function Row({ tensor }: { tensor: TensorRow }) {
  return (
    <a class="memory" href={linkTo('tensors', tensor.uuid)}>
      <span class="tag">{tensor.original_dtype}</span>
      <strong>{tensor.user_name}</strong>
      <code>{tensor.original_shape}</code>
      <span class="hint">{tensor.description}</span>
    </a>
  );
}
