import { useLoaded } from '../lib/hooks.ts';
import { askMsty, canChat, type Day, everyDay, type Health, type ListedModel, serviceName } from '../lib/msty.ts';
import { t } from '../lib/texts.ts';
import { DataTable } from '../parts/data-table.tsx';
import { ChatBox } from '../parts/msty/chat-box.tsx';
import { DayChart } from '../parts/msty/day-chart.tsx';
import { ModelBenchmark } from '../parts/msty/model-benchmark.tsx';
import { Absent, Empty, Failure, Loading } from '../parts/states.tsx';
import { has, type PageProps } from './page.ts';

const DAYS = 30;

/** The installation, its services and models, how fast and how often they are used, and a word with one of them. */
export function Msty({ tools }: PageProps) {
  return has(tools, 'analyse_msty_health') ? <Installed /> : <Absent server="msty-admin" />;
}

function Installed() {
  const health = useLoaded((signal) => askMsty<Health>('analyse_msty_health', {}, { signal }), []);
  const models = useLoaded((signal) => askMsty<{ models: ListedModel[] }>('list_available_models', {}, { signal }), []);
  const listed = models.value?.models ?? [];
  const chatting = listed.filter(canChat).map(({ id }) => id);
  if (health.value && isAbsent(health.value)) return <NothingFound health={health.value} onAgain={health.reload} />;
  return (
    <>
      {health.error && <Failure error={health.error} />}
      {health.isLoading && !health.value && <Loading what={t('the installation')} />}
      {health.value && <Installation health={health.value} />}
      <section>
        <h2>{t('Models')}</h2>
        {models.error && <Failure error={models.error} />}
        {models.value && <Models models={listed} />}
      </section>
      <div class="cards wide">
        <ChatBox models={chatting} />
        <Usage isInstalled={health.value?.database_status.exists ?? true} />
      </div>
      <ModelBenchmark models={chatting} />
    </>
  );
}

function isAbsent({ database_status: database, service_status: services }: Health): boolean {
  return !database.exists && Object.values(services).every(({ available }) => !available);
}

/** One line for whoever uses neither; the rest of the page would be empty. */
function NothingFound({ health, onAgain }: { health: Health; onAgain: () => void }) {
  return (
    <Empty title={t('Neither Msty nor a model service was found on this machine')}>
      <p>{t('Start Msty Studio, Ollama or LM Studio, then look again.')}</p>
      <button type="button" onClick={onAgain}>
        {t('Look again')}
      </button>
      <details>
        <summary>{t('Where Atoll looked')}</summary>
        <Services health={health} />
      </details>
    </Empty>
  );
}

const DOTS: Record<string, string> = { healthy: 'up', warning: 'waiting', critical: 'down' };

/** Msty is not needed: that it is not there is nothing bad. */
function dotOf({ overall_status: state, database_status: { exists } }: Health): string {
  return exists ? (DOTS[state] ?? '') : '';
}

function verdict({ overall_status: state, database_status: { exists } }: Health): string {
  if (state === 'healthy') return t('Msty is healthy');
  if (!exists) return t('Msty Studio was not found on this machine');
  return state === 'warning' ? t('Msty works, with warnings') : t('Msty does not work as it should');
}

function Installation({ health }: { health: Health }) {
  return (
    <section class="card">
      <h2>
        <span class={`dot ${dotOf(health)}`} aria-hidden="true" /> {verdict(health)}
      </h2>
      <Services health={health} />
      {health.recommendations.length > 0 && (
        <ul class="hint">
          {health.recommendations.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Services({ health }: { health: Health }) {
  const { database_status: database, service_status: services } = health;
  return (
    <ul class="services">
      <li>
        <span class={`dot ${database.exists ? 'up' : ''}`} aria-hidden="true" />
        <span>
          {t("Studio's database")}
          <br />
          <span class="hint">
            {database.exists
              ? t('{size_mb} MB, integrity {integrity}', {
                  size_mb: database.size_mb ?? '?',
                  integrity: database.integrity ?? t('not checked'),
                })
              : t('not found')}
          </span>
        </span>
      </li>
      {Object.entries(services).map(([name, { available, port }]) => (
        <li key={name}>
          <span class={`dot ${available ? 'up' : ''}`} aria-hidden="true" />
          <span>
            {serviceName(name)}
            <br />
            <span class="hint">
              {available ? t('answers on port {port}', { port }) : t('not running on port {port}', { port })}
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Models({ models }: { models: readonly ListedModel[] }) {
  if (models.length === 0) {
    return <p class="hint">{t('No service lists a model. Start Msty Studio, Ollama or LM Studio.')}</p>;
  }
  const hasSizes = models.some(({ size_gb: size }) => size);
  return (
    <DataTable
      label={t('Models')}
      columns={[t('Model'), t('Service'), t('Tags'), ...(hasSizes ? [t('Size')] : [])]}
      rows={models.map(({ id, _service, tags = [], size_gb: size }) => [
        id,
        serviceName(_service ?? ''),
        tags.join(', '),
        size ? `${size} GB` : t('unknown'),
      ])}
    />
  );
}

function Usage({ isInstalled }: { isInstalled: boolean }) {
  const usage = useLoaded(
    (signal) => askMsty<{ daily: Day[] }>('get_insights_usage', { timeframe: `${DAYS}d` }, { signal }),
    [],
  );
  const days = usage.value?.daily;
  return (
    <section class="card">
      <h2>{t('Usage, last {days} days', { days: DAYS })}</h2>
      {usage.error && (
        <p class="hint">
          {isInstalled ? usage.error : t('Shown once Msty Studio is installed: it records this in its database.')}
        </p>
      )}
      {days?.length === 0 && <p class="hint">{t('Msty Studio has recorded no calls in this time.')}</p>}
      {days && days.length > 0 && <DayChart days={everyDay(days, DAYS)} />}
    </section>
  );
}
