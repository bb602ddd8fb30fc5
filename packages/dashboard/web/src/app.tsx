import { useEffect, useRef, useState } from 'preact/hooks';
import { useLoaded } from './lib/hooks.ts';
import { RpcError, request, setToken, type Tool } from './lib/mcp.ts';
import { useRoute } from './lib/route.ts';
import { Connect } from './pages/connect.tsx';
import { Embeddings } from './pages/embeddings.tsx';
import { Lake } from './pages/lake.tsx';
import { Msty } from './pages/msty.tsx';
import { Overview } from './pages/overview.tsx';
import { Tensors } from './pages/tensors.tsx';
import { Tools } from './pages/tools.tsx';
import { Failure, Loading } from './parts/states.tsx';
import { ThemeSwitch } from './parts/theme-switch.tsx';

const PAGES = [
  { key: '', title: 'Overview', mark: '◍', view: Overview },
  { key: 'tools', title: 'Try a tool', mark: '▷', view: Tools },
  { key: 'lake', title: 'Memory lake', mark: '≋', view: Lake },
  { key: 'tensors', title: 'Tensors', mark: '▦', view: Tensors },
  { key: 'embeddings', title: 'Embeddings', mark: '⁘', view: Embeddings },
  { key: 'msty', title: 'Msty', mark: '✦', view: Msty },
  { key: 'connect', title: 'Connect', mark: '⌁', view: Connect },
] as const;

export function App() {
  const route = useRoute();
  const page = PAGES.find(({ key }) => key === route.page) ?? PAGES[0];
  const main = useRef<HTMLElement>(null);
  const tools = useLoaded(loadTools, []);
  useEffect(() => {
    document.title = `${page.title} · Atoll`;
    // A reader of the page is told where the link led.
    main.current?.focus({ preventScroll: true });
  }, [page]);
  if (tools.error?.includes('token')) return <AskToken onToken={tools.reload} />;
  const View = page.view;
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="side">
        <a class="brand" href="#/">
          <img src="/assets/atoll.svg" alt="" width="28" height="28" />
          <span>Atoll</span>
        </a>
        <nav aria-label="Pages">
          {PAGES.map(({ key, title, mark }) => (
            <a key={key} href={`#/${key}`} aria-current={key === page.key ? 'page' : undefined}>
              <span class="mark" aria-hidden="true">
                {mark}
              </span>
              {title}
            </a>
          ))}
        </nav>
        <ThemeSwitch />
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <h1>{page.title}</h1>
        {tools.error ? (
          <Failure error={tools.error} next="Is Atoll still running? Start it again, then reload this page." />
        ) : tools.value ? (
          <View tools={tools.value} rest={route.rest} query={route.query} />
        ) : (
          <Loading what="tools" />
        )}
      </main>
    </div>
  );
}

async function loadTools(): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page: { tools: Tool[]; nextCursor?: string } = await request('tools/list', cursor ? { cursor } : {});
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor);
  return tools;
}

function AskToken({ onToken }: { onToken: () => void }) {
  const [token, setTyped] = useState('');
  const [error, setError] = useState('');
  const submit = async (event: Event) => {
    event.preventDefault();
    setToken(token);
    try {
      await request('ping').catch((fault) => {
        if (fault instanceof RpcError && fault.code === 401) throw fault;
      });
      onToken();
    } catch {
      setError('That token was not accepted.');
    }
  };
  return (
    <main class="gate">
      <form class="card" onSubmit={submit}>
        <h1>Atoll</h1>
        <p>This endpoint asks for its bearer token. It is kept in this tab only.</p>
        <label>
          Token
          <input
            type="password"
            value={token}
            autocomplete="off"
            required
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        {error && <p class="bad">{error}</p>}
        <button type="submit" class="primary">
          Continue
        </button>
      </form>
    </main>
  );
}
