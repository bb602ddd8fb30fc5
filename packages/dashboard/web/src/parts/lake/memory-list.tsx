import { useLoaded } from '../../lib/hooks.ts';
import { type LakeFilter, listMemories, type Memory } from '../../lib/lake/lake.ts';
import { linkTo } from '../../lib/route.ts';
import { plural, t, tx } from '../../lib/texts.ts';
import { Empty, Failure, Loading } from '../states.tsx';
import { VirtualList } from '../virtual-list.tsx';

const KINDS: Record<string, string> = { excel_file: t('sheet'), pdf_file: 'PDF', txt_file: t('text') };

/** Everything in the lake. */
export function MemoryList({ keys, filter }: { keys: readonly unknown[]; filter: LakeFilter }) {
  const first = useLoaded((signal) => listMemories(0, 1, signal, filter), keys);
  if (first.error) return <Failure error={first.error} />;
  if (!first.value) return <Loading what={t('the lake')} />;
  if (first.value.n === 0) {
    return Object.keys(filter).length > 0 ? (
      <Empty title={t('No document is in this collection with this tag')}>
        <p>{t('A document gets its collection and its tags when it is opened, under “Edit”.')}</p>
      </Empty>
    ) : (
      <Empty title={t('The lake is empty')}>
        <p>
          {tx(
            'Your documents will be listed here. Drop a file above, use the samples on the <a>overview</a>, or run {code}.',
            { a: (text) => <a href="#/">{text}</a>, code: <code>memorylake add FOLDER --recursive</code> },
          )}
        </p>
      </Empty>
    );
  }
  return (
    <section>
      <h2>{plural(first.value.n, 'document')}</h2>
      <VirtualList
        total={first.value.n}
        rowHeight={44}
        label={t('Documents')}
        keys={[...keys, first.value.n]}
        load={async (offset, limit, signal) => (await listMemories(offset, limit, signal, filter)).memories}
        row={(memory) => <Row memory={memory} />}
      />
    </section>
  );
}

function Row({ memory }: { memory: Memory }) {
  const { id, name, type, status, reason, num_chunks: chunks, num_tables: tables, tags = [] } = memory;
  return (
    <a class="memory" href={linkTo('lake', id)}>
      <span class="tag">{KINDS[type] ?? type}</span>
      <strong>{name}</strong>
      <span class={status === 'failed' ? 'bad' : status === 'ready' ? 'hint more' : 'hint'}>
        {status === 'failed'
          ? (reason ?? t('failed'))
          : status === 'ready'
            ? [chunks ? plural(chunks, 'part') : '', tables ? plural(tables, 'table') : ''].filter(Boolean).join(', ')
            : status}
      </span>
      {tags.map((tag) => (
        <span class="tag own" key={tag}>
          #{tag}
        </span>
      ))}
    </a>
  );
}
