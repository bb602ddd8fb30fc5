import { useEffect, useState } from 'preact/hooks';
import { useLoaded } from '../../lib/hooks.ts';
import { keepStartState, startState } from '../../lib/kept/start.ts';
import { listMemories } from '../../lib/lake/lake.ts';
import { useSetup } from '../../lib/setup.ts';
import { plural, t } from '../../lib/texts.ts';
import { ClientList, useClients } from '../setup/client-list.tsx';
import { InstallRow } from '../setup/install-row.tsx';
import { PythonRow } from '../setup/python-row.tsx';
import { AddStep } from './add-step.tsx';
import { AskStep } from './ask-step.tsx';
import { Step } from './step.tsx';

const LANGUAGES = 'use-multilingual-v3';

/** What to do with an empty Atoll. Nothing is shown to whoever has used it before. */
export function FirstSteps({ onDone }: { onDone: () => void }) {
  const [round, setRound] = useState(0);
  const [hasAsked, setAsked] = useState(false);
  const [hasSamples, setSamples] = useState(false);
  const lake = useLoaded((signal) => listMemories(0, 1, signal), [round], { keepsValue: true });
  const clients = useClients();
  const setup = useSetup();
  const documents = lake.value?.n;
  const isNew = startState() === 'open' || documents === 0;
  useEffect(() => {
    if (documents === undefined) return;
    keepStartState(isNew ? 'open' : 'done');
    if (!isNew) onDone();
  }, [documents === undefined, isNew]);
  if (lake.error) return null;
  if (documents === undefined || !isNew) return <div class="first-steps waiting" aria-hidden="true" />;
  const isConnected = clients.value?.clients.some(({ has_atoll: has }) => has) ?? false;
  const { python, models = [] } = setup.setup.value ?? {};
  const languages = models.find(({ name }) => name === LANGUAGES);
  const hide = () => {
    keepStartState('done');
    onDone();
  };
  return (
    <section class="first-steps" aria-label={t('First steps')}>
      <header>
        <div>
          <h2>{t('Welcome to Atoll')}</h2>
          <p>
            {t('One place for your documents, tensors and tools, for you and for every assistant that speaks MCP.')}
          </p>
        </div>
        <button type="button" class="quiet" onClick={hide}>
          {t('Hide these steps')}
        </button>
      </header>
      <ol>
        <Step
          number={1}
          title={t('Add documents')}
          isDone={documents > 0}
          done={plural(documents, 'document')}
          link="#/lake"
        >
          <AddStep
            isEmpty={documents === 0}
            onChanged={() => setRound((now) => now + 1)}
            onSamples={() => setSamples(true)}
          />
        </Step>
        <Step number={2} title={t('Ask a question')} isDone={hasAsked} done={t('asked')} link="#/lake">
          <AskStep isEmpty={documents === 0} hasSamples={hasSamples} onAsked={() => setAsked(true)} />
        </Step>
        <Step number={3} title={t('Connect a client')} isDone={isConnected} done={t('connected')} link="#/connect">
          <p>{t('Your assistant gets every tool that is here.')}</p>
          <ClientList clients={clients} />
          <p>
            <a href="#/connect">{clients.failure ? t('How to connect a client') : t('Other clients')}</a>
          </p>
        </Step>
        {python && (
          <Step
            number={4}
            title={t('Set up Python and languages')}
            isDone={python.state !== 'missing' && (languages?.installed ?? true)}
            done={t('ready')}
            link="#/settings"
          >
            <ul class="installs">
              <PythonRow python={python} state={setup} />
              {languages && (
                <InstallRow
                  what={languages.name}
                  title={t('Search in other languages')}
                  about={
                    languages.installed
                      ? t('Installed. Choose it under Embeddings.')
                      : t('Finds a German document with an English question; {languages} languages.', {
                          languages: languages.languages.length,
                        })
                  }
                  isInstalled={languages.installed}
                  sizeBytes={languages.size_bytes}
                  state={setup}
                />
              )}
            </ul>
          </Step>
        )}
      </ol>
    </section>
  );
}
