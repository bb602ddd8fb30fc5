import { useState } from 'preact/hooks';
import type { ServerSettings } from '../../lib/admin.ts';
import { pairsOf, settingsOf, textOfPairs, wordsOf } from '../../lib/server-form.ts';
import { t, tx } from '../../lib/texts.ts';

interface Props {
  readonly name?: string;
  readonly settings?: ServerSettings | undefined;
  readonly isBusy: boolean;
  readonly onSave: (name: string, settings: ServerSettings) => void;
  readonly onCancel: () => void;
}

/** A server by command or by address. */
export function ServerForm({ name: given, settings = {}, isBusy, onSave, onCancel }: Props) {
  const [kind, setKind] = useState<'command' | 'url'>(settings.url === undefined ? 'command' : 'url');
  const [name, setName] = useState(given ?? '');
  const [line, setLine] = useState(() => wordsOf(settings));
  const [url, setUrl] = useState(settings.url ?? '');
  const [cwd, setCwd] = useState(settings.cwd ?? '');
  const [prefix, setPrefix] = useState(settings.prefix);
  const [pairs, setPairs] = useState(() =>
    settings.url === undefined ? textOfPairs(settings.env ?? {}) : textOfPairs(settings.headers ?? {}, ': '),
  );
  const isUrl = kind === 'url';
  const badPair = pairsOf(pairs, isUrl ? ':' : '=') === undefined;
  const save = (event: Event) => {
    event.preventDefault();
    if (badPair) return;
    onSave(name.trim(), settingsOf({ kind, line, url, cwd, prefix, pairs }));
  };
  return (
    <form
      class="card form server-form"
      onSubmit={save}
      aria-label={given ? t('Edit {given}', { given }) : t('Add a server')}
    >
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
        <button type="button" aria-pressed={!isUrl} onClick={() => setKind('command')}>
          {t('Runs on this machine')}
        </button>
        <button type="button" aria-pressed={isUrl} onClick={() => setKind('url')}>
          {t('Has an address')}
        </button>
      </div>
      {isUrl ? (
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
      ) : (
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
        {isUrl ? t('Headers') : t('Variables')} <span class="hint">{t('one a line, optional')}</span>
        <textarea
          class="code"
          rows={2}
          spellcheck={false}
          placeholder={isUrl ? `Authorization: Bearer \${MY_TOKEN}` : `API_KEY=\${MY_API_KEY}`}
          aria-invalid={badPair}
          value={pairs}
          onInput={(event) => setPairs(event.currentTarget.value)}
        />
        <span class="hint">
          {badPair
            ? t('Each line is {form}.', { form: isUrl ? 'Name: value' : 'NAME=value' })
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
