import type { Settings as SettingsInUse } from '../lib/admin.ts';
import { bytes, duration } from '../lib/format.ts';
import { useAdmin } from '../lib/hooks.ts';
import { groupSettings, settingText } from '../lib/settings.ts';
import { useSetup } from '../lib/setup.ts';
import { plural, t, tx } from '../lib/texts.ts';
import { Bars } from '../parts/bars.tsx';
import { Doctor } from '../parts/settings/doctor.tsx';
import { LanguageChoice } from '../parts/settings/language-choice.tsx';
import { Tokens } from '../parts/settings/tokens.tsx';
import { OcrRow } from '../parts/setup/ocr-row.tsx';
import { PythonRow } from '../parts/setup/python-row.tsx';
import { AdminFailure, Loading } from '../parts/states.tsx';

/** What runs with which configuration, who may use it, what it keeps, and whether everything works. */
export function Settings() {
  const settings = useAdmin<SettingsInUse>('settings', {}, [], { keepsValue: true });
  const setup = useSetup();
  if (settings.failure && !settings.value) return <AdminFailure error={settings.failure} />;
  if (!settings.value) return <Loading what={t('the settings')} />;
  const { version, node, platform, uptime_seconds: uptime, file, data_dir: folder, folders, views } = settings.value;
  const total = folders.reduce((sum, { bytes: size }) => sum + size, 0);
  return (
    <>
      <section class="card" aria-label={t('This Atoll')}>
        <dl class="figures">
          <Fact label="Atoll" value={version} />
          <Fact label="Node" value={node} />
          <Fact label={t('Platform')} value={platform} />
          <Fact label={t('Running for')} value={duration(uptime * 1000)} />
          <Fact label={t('Configuration')} value={file ?? t('none; all defaults')} isCode />
        </dl>
      </section>
      <Doctor />
      <div class="cards two-wide">
        <section class="card" aria-label={t('Data folder')}>
          <h2>{tx('Data folder {total}', { total: <span class="hint">{bytes(total)}</span> })}</h2>
          <p class="hint">
            <code>{folder}</code>
          </p>
          {folders.length === 0 ? (
            <p>{t('Nothing is kept yet. Each server gets a folder here once it keeps something.')}</p>
          ) : (
            <Bars
              label={t('Size of each folder')}
              bars={folders.map(({ name, bytes: size }) => ({ name, value: size, text: bytes(size) }))}
            />
          )}
        </section>
        <section class="card" aria-label={t('Set-up')}>
          <h2>{t('Set-up')}</h2>
          {setup.setup.value ? (
            <ul class="installs">
              <PythonRow python={setup.setup.value.python} state={setup} />
              <OcrRow ocr={setup.setup.value.ocr} state={setup} />
            </ul>
          ) : (
            <Loading what={t('what is installed')} />
          )}
          <p class="hint">
            {tx('Models are under <a>Embeddings</a>.', { a: (text) => <a href="#/embeddings">{text}</a> })}
          </p>
        </section>
        <LanguageChoice />
        <Tokens settings={settings.value} onChanged={settings.reload} />
        <section class="card" aria-label={t('Views')}>
          <h2>{t('Views')}</h2>
          {views.length === 0 ? (
            <p>
              {tx(
                'None. A view is a second endpoint with some of the servers, for example {code}; add one under {code2} in the configuration.',
                { code: <code>/mcp/reading</code>, code2: <code>"views"</code> },
              )}
            </p>
          ) : (
            <ul class="plain">
              {views.map(({ name, servers, mode }) => (
                <li key={name}>
                  <code>/mcp/{name}</code>{' '}
                  <span class="hint">
                    {servers ? servers.join(', ') : t('all servers')} · {mode}
                  </span>
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
      <section class="card" aria-label={t('Settings in use')}>
        <h2>
          {tx('Settings in use {settings}', {
            settings: <span class="hint">{plural(Object.keys(settings.value.settings).length, 'setting')}</span>,
          })}
        </h2>
        <p class="hint">
          {t(
            'From flags, variables, the file and the defaults, in this order. Values that may be secret are left out.',
          )}
        </p>
        <div class="setting-groups">
          {groupSettings(settings.value.settings).map(({ title, entries }) => (
            <div key={title}>
              <h3>{title}</h3>
              <dl class="settings">
                {entries.map(([name, value]) => (
                  <div key={name}>
                    <dt>
                      <code>{name}</code>
                    </dt>
                    <dd>{settingText(value, name)}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </div>
      </section>
    </>
  );
}

function Fact({ label, value, isCode = false }: { label: string; value: string; isCode?: boolean }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{isCode ? <code>{value}</code> : value}</dd>
    </div>
  );
}
