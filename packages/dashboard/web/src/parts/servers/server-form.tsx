import { useState } from 'preact/hooks';
import type { ServerSettings } from '../../lib/admin.ts';
import { kindOf, pairsIn, pairsOf, type ServerKind, settingsOf, wordsOf } from '../../lib/server-form.ts';
import { t, tx } from '../../lib/texts.ts';

interface Props {
  readonly name?: string;
  readonly settings?: ServerSettings | undefined;
  readonly isBusy: boolean;
  readonly onSave: (name: string, settings: ServerSettings) => void;
  readonly onCancel: () => void;
}

const KINDS: readonly (readonly [ServerKind, string])[] = [
  ['command', t('Runs on this machine')],
  ['url', t('Has an address')],
  ['openapi', t('HTTP API')],
];
/** What goes with each, one a line. */
const PAIRS: Readonly<Record<ServerKind, { label: string; form: string; example: string }>> = {
  command: { label: t('Variables'), form: 'NAME=value', example: `API_KEY=\${MY_API_KEY}` },
  url: { label: t('Headers'), form: 'Name: value', example: `Authorization: Bearer \${MY_TOKEN}` },
  openapi: { label: t('Keys'), form: 'scheme=value', example: `api_key=\${MY_API_KEY}` },
};

/** A server by command, by address, or an HTTP API by the document that describes it. */
export function ServerForm({ name: given, settings = {}, isBusy, onSave, onCancel }: Props) {
  const [kind, setKind] = useState<ServerKind>(() => kindOf(settings));
  const [name, setName] = useState(given ?? '');
  const [line, setLine] = useState(() => wordsOf(settings));
  const [url, setUrl] = useState(settings.url ?? '');
  const [openapi, setOpenapi] = useState(settings.openapi ?? '');
  const [baseUrl, setBaseUrl] = useState(settings.baseUrl ?? '');
  const [cwd, setCwd] = useState(settings.cwd ?? '');
  const [prefix, setPrefix] = useState(settings.prefix);
  const [pairs, setPairs] = useState(() => pairsIn(settings, kind));
  const badPair = pairsOf(pairs, kind === 'url' ? ':' : '=') === undefined;
  const { label, form, example } = PAIRS[kind];
  const save = (event: Event) => {
    event.preventDefault();
    if (badPair) return;
    onSave(name.trim(), settingsOf({ kind, line, url, openapi, baseUrl, cwd, prefix, pairs }));
  };
  return (
    <form
      class="card form server-form"
      onSubmit={save}
      aria-label={given ? t('Edit {given}', { given }) : t('Add a server')}
    >
      <h2>{given ? t('Edit {given}', { given }) : t('Add a server')}</h2>
      {given === undefined && (
        <label>
          {t('Name')}
          <input
            required
            maxLength={60}
            pattern="[A-Za-z0-9_ .@\-]+"
            title={t('Letters, digits, spaces and . _ @ -')}
            placeholder="files"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
      )}
      <div class="actions" role="group" aria-label={t('How it is reached')}>
        {KINDS.map(([one, title]) => (
          <button key={one} type="button" aria-pressed={kind === one} onClick={() => setKind(one)}>
            {title}
          </button>
        ))}
      </div>
      {kind === 'openapi' && (
        <>
          <label>
            {t('OpenAPI document, a file or an address')}
            <input
              class="code"
              required
              placeholder="https://example.org/openapi.json"
              spellcheck={false}
              value={openapi}
              onInput={(event) => setOpenapi(event.currentTarget.value)}
            />
          </label>
          <label>
            {tx('Address of the API <span>optional; as in the document by default</span>', {
              span: (text) => <span class="hint">{text}</span>,
            })}
            <input type="url" value={baseUrl} onInput={(event) => setBaseUrl(event.currentTarget.value)} />
          </label>
        </>
      )}
      {kind === 'url' && (
        <label>
          {t('Address')}
          <input
            type="url"
            required
            placeholder="https://example.org/mcp"
            value={url}
            onInput={(event) => setUrl(event.currentTarget.value)}
          />
        </label>
      )}
      {kind === 'command' && (
        <>
          <label>
            {t('Command')}
            <input
              class="code"
              required
              placeholder="npx -y @modelcontextprotocol/server-filesystem ~/Documents"
              spellcheck={false}
              value={line}
              onInput={(event) => setLine(event.currentTarget.value)}
            />
          </label>
          <label>
            {tx('Folder it starts in <span>optional</span>', { span: (text) => <span class="hint">{text}</span> })}
            <input class="code" value={cwd} onInput={(event) => setCwd(event.currentTarget.value)} />
          </label>
        </>
      )}
      <label>
        {label} <span class="hint">{t('one per line, optional')}</span>
        <textarea
          class="code"
          rows={2}
          spellcheck={false}
          placeholder={example}
          aria-invalid={badPair}
          value={pairs}
          onInput={(event) => setPairs(event.currentTarget.value)}
        />
        <span class="hint">
          {badPair
            ? t('Each line is {form}.', { form })
            : t(
                'A variable in {form} is taken from the environment, so that no secret stands in the file. Values shown as [redacted] stay as they are.',
                { form: `\${…}` },
              )}
        </span>
      </label>
      <label>
        {tx('Prefix of its tools {name}', {
          name: <span class="hint">{t('optional; {name}_ by default', { name: name || 'name' })}</span>,
        })}
        <input
          class="code"
          maxLength={40}
          value={prefix ?? ''}
          onInput={(event) => setPrefix(event.currentTarget.value || undefined)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="primary" disabled={isBusy}>
          {isBusy ? t('Saving …') : given ? t('Save') : t('Add')}
        </button>
        <button type="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  );
}
