import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLoaded } from './lib/hooks.ts';
import { GRANTED, REFUSED, wasAnswered } from './lib/mcp.ts';
import { useRoute } from './lib/route.ts';
import { t } from './lib/texts.ts';
import { loadTools } from './lib/tools.ts';
import { Overview } from './pages/overview.tsx';
import type { View } from './pages/page.ts';
import { AskToken } from './parts/ask-token.tsx';
import { Icon, type IconName } from './parts/icon.tsx';
import { PaletteButton } from './parts/palette/palette-button.tsx';
import { Failure, Loading } from './parts/states.tsx';
import { ThemeSwitch } from './parts/theme-switch.tsx';

interface Page {
  readonly key: string;
  readonly title: string;
  readonly mark: IconName;
  /** Fetched when it is first opened, so that the overview, which is always there, comes at once. */
  readonly load?: () => Promise<View>;
}

const PAGES: readonly Page[] = [
  { key: '', title: t('Overview'), mark: 'overview' },
  {
    key: 'activity',
    title: t('Activity'),
    mark: 'activity',
    load: async () => (await import('./pages/activity.tsx')).Activity,
  },
  {
    key: 'servers',
    title: t('Servers'),
    mark: 'servers',
    load: async () => (await import('./pages/servers.tsx')).Servers,
  },
  { key: 'tools', title: t('Try a tool'), mark: 'tools', load: async () => (await import('./pages/tools.tsx')).Tools },
  { key: 'lake', title: t('Memory lake'), mark: 'lake', load: async () => (await import('./pages/lake.tsx')).Lake },
  {
    key: 'tensors',
    title: t('Tensors'),
    mark: 'tensors',
    load: async () => (await import('./pages/tensors.tsx')).Tensors,
  },
  {
    key: 'embeddings',
    title: t('Embeddings'),
    mark: 'embeddings',
    load: async () => (await import('./pages/embeddings.tsx')).Embeddings,
  },
  { key: 'msty', title: 'Msty', mark: 'msty', load: async () => (await import('./pages/msty.tsx')).Msty },
  {
    key: 'connect',
    title: t('Connect'),
    mark: 'connect',
    load: async () => (await import('./pages/connect.tsx')).Connect,
  },
  {
    key: 'settings',
    title: t('Settings'),
    mark: 'settings',
    load: async () => (await import('./pages/settings.tsx')).Settings,
  },
];

export function App() {
  const route = useRoute();
  const page = PAGES.find(({ key }) => key === route.page) ?? PAGES[0]!;
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
  const [isRefused, setRefused] = useState(false);
  const [round, setRound] = useState(0);
  // Before anything is asked: the first answer may come sooner than the first frame.
  useLayoutEffect(() => {
    const refuse = () => {
      setWasIn(wasAnswered());
      setRefused(true);
    };
    addEventListener(REFUSED, refuse);
    return () => removeEventListener(REFUSED, refuse);
  }, []);
  const shown = useRef(page);
  useEffect(() => {
    document.title = `${page.title} · Atoll`;
    // A reader of the page is told where a link led; the first page is read from its top.
    if (shown.current !== page) main.current?.focus({ preventScroll: true });
    shown.current = page;
    const link = nav.current?.querySelector<HTMLElement>('[aria-current]');
    // On a narrow screen the pages are one row that scrolls; the one that is open is brought into view.
    if (link) nav.current!.scrollLeft = link.offsetLeft - (nav.current!.clientWidth - link.offsetWidth) / 2;
  }, [page]);
  const [wasIn, setWasIn] = useState(false);
  const takeToken = useCallback(() => {
    setRefused(false);
    // What was begun before a token expired is still there.
    if (wasIn) dispatchEvent(new Event(GRANTED));
    else setRound((now) => now + 1);
  }, [wasIn]);
  return (
    <>
      {isRefused && <AskToken onToken={takeToken} />}
      <div class="shell" hidden={isRefused}>
        {/* No link: the address holds the page that is shown, and a jump would lose it. */}
        <button type="button" class="skip" onClick={() => main.current?.focus()}>
          {t('Skip to the content')}
        </button>
        <header class="side">
          <a class="brand" href="#/">
            <img src="/assets/atoll.svg" alt="" width="28" height="28" />
            <span>Atoll</span>
          </a>
          <PaletteButton pages={PAGES} />
          <nav ref={nav} aria-label={t('Pages')}>
            {PAGES.map(({ key, title, mark }) => (
              <a key={key} href={`#/${key}`} aria-current={key === page.key ? 'page' : undefined}>
                <Icon name={mark} />
                {title}
              </a>
            ))}
          </nav>
          <ThemeSwitch />
        </header>
        <main id="main" ref={main} tabIndex={-1}>
          <h1>{page.title}</h1>
          <Content key={`${page.key} ${round}`} page={page} rest={route.rest} query={route.query} />
        </main>
      </div>
    </>
  );
}

/** The page itself, once it and what it is about are there. */
function Content({ page, rest, query }: { page: Page; rest: readonly string[]; query: URLSearchParams }) {
  // The overview needs no tools, and their list is the longest answer there is.
  const [isReady, setReady] = useState(page.load !== undefined);
  const view = useLoaded(async () => ({ View: await page.load?.() }), [page]);
  const tools = useLoaded(async () => (isReady ? loadTools() : undefined), [isReady]);
  const onReady = useCallback(() => setReady(true), []);
  if (!page.load) return <Overview tools={tools.value ?? []} rest={rest} query={query} onReady={onReady} />;
  if (view.error)
    return <Failure error={t('This part of the page could not be loaded.')} next={t('Reload the page.')} />;
  if (tools.error) {
    return (
      <Failure error={tools.error}>
        <button type="button" onClick={tools.reload}>
          {t('Try again')}
        </button>
      </Failure>
    );
  }
  if (!view.value?.View || !tools.value) return <Loading what={page.title.toLowerCase()} />;
  return <view.value.View tools={tools.value} rest={rest} query={query} onReady={onReady} />;
}
