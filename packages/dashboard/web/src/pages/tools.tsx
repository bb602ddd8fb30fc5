import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ServerList } from '../lib/admin.ts';
import { useAdmin, useLoaded, useRested } from '../lib/hooks.ts';
import type { Tool } from '../lib/mcp.ts';
import { linkTo } from '../lib/route.ts';
import { t } from '../lib/texts.ts';
import { groupTools, toolsByMeaning } from '../lib/tools.ts';
import { ProgramView, RUN_TOOLS } from '../parts/programs/program-view.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { ToolTrial } from '../parts/tools/tool-trial.tsx';
import type { PageProps } from './page.ts';

const TABS = [
  { key: '', title: t('Tools') },
  { key: RUN_TOOLS, title: t('Programs') },
];

/** Every tool of every upstream, each with a form made from its schema; and programs that call them. */
export function Tools({ tools, rest, query }: PageProps) {
  const [chosen = ''] = rest;
  const isProgram = chosen === RUN_TOOLS;
  return (
    <>
      <Tabs label={t('Ways to call tools')} page="tools" tabs={TABS} chosen={isProgram ? RUN_TOOLS : ''} />
      {isProgram ? (
        <ProgramView key={String(query)} tools={tools} query={query} />
      ) : (
        <ToolForms tools={tools} name={chosen} />
      )}
    </>
  );
}

function ToolForms({ tools, name: wanted }: { tools: readonly Tool[]; name: string }) {
  const [words, setWords] = useState('');
  const shown = useMemo(() => tools.filter((tool) => matches(tool, words)), [tools, words]);
  // Whoever may not administer sees one list: only administration says which server a tool is of.
  const servers = useAdmin<ServerList>('servers', {}, []).value?.servers ?? [];
  const groups = groupTools(shown, servers);
  const related = useRelated(tools, shown, words);
  const chosen = tools.find(({ name }) => name === wanted) ?? shown[0] ?? related[0];
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const [box, link] = [list.current, list.current?.querySelector<HTMLElement>('[aria-current]')];
    // Whoever came by a link sees where in the list it led; the page itself stays where it is.
    if (box && link) box.scrollTop = link.offsetTop - box.offsetTop - box.clientHeight / 3;
  }, [groups.length]);
  return (
    <div class="two">
      <section class="list" aria-label={t('Tools')}>
        <input
          type="search"
          placeholder={t('Search {tools} tools', { tools: tools.length })}
          aria-label={t('Search tools')}
          value={words}
          onInput={(event) => setWords(event.currentTarget.value)}
        />
        <ul ref={list}>
          {groups.map(({ server, tools: own }) => (
            <li key={server}>
              {server && <h2>{server}</h2>}
              <ul>
                {own.map((tool) => (
                  <Row key={tool.name} tool={tool} isChosen={tool === chosen} />
                ))}
              </ul>
            </li>
          ))}
          {related.length > 0 && (
            <li>
              <h2>{t('Related by meaning')}</h2>
              <ul>
                {related.map((tool) => (
                  <Row key={tool.name} tool={tool} isChosen={tool === chosen} />
                ))}
              </ul>
            </li>
          )}
        </ul>
        {shown.length + related.length === 0 && <p class="hint">{t('No tool has all of these words.')}</p>}
      </section>
      {chosen && <ToolTrial key={chosen.name} tool={chosen} />}
    </div>
  );
}

function Row({ tool, isChosen }: { tool: Tool; isChosen: boolean }) {
  return (
    <li>
      <a href={linkTo('tools', tool.name)} aria-current={isChosen ? 'true' : undefined}>
        <strong>{tool.title ?? tool.name}</strong>
        {tool.title && tool.title !== tool.name && <code>{tool.name}</code>}
      </a>
    </li>
  );
}

const AGAIN_MS = 1_500;
const MOST_ROUNDS = 4;

/** Tools that do what was typed, besides those that have its words. */
function useRelated(tools: readonly Tool[], shown: readonly Tool[], words: string): readonly Tool[] {
  const query = useRested(words.trim(), 250);
  const load = async (signal: AbortSignal) => (query.length > 2 ? toolsByMeaning(query, signal) : undefined);
  const { value, reload } = useLoaded(load, [query]);
  const asked = useRef({ query, rounds: 0 });
  useEffect(() => {
    if (asked.current.query !== query) asked.current = { query, rounds: 0 };
    // The first search begins to compute what the tools mean; a moment later it is known.
    if (!value?.isByWords || asked.current.rounds >= MOST_ROUNDS) return;
    asked.current.rounds += 1;
    const timer = setTimeout(reload, AGAIN_MS);
    return () => clearTimeout(timer);
  }, [value, query, reload]);
  if (words.trim() !== query) return [];
  const named = (value?.names ?? []).map((name) => tools.find((tool) => tool.name === name));
  return named.filter((tool) => tool !== undefined && !shown.includes(tool)) as readonly Tool[];
}

function matches(tool: Tool, words: string): boolean {
  const text = `${tool.name} ${tool.title ?? ''} ${tool.description ?? ''}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
