import { useLoaded } from '../lib/hooks.ts';
import { askMsty, canChat, type Day, everyDay, type Health, type ListedModel, serviceName } from '../lib/msty.ts';
import { DataTable } from '../parts/data-table.tsx';
import { ChatBox } from '../parts/msty/chat-box.tsx';
import { DayChart } from '../parts/msty/day-chart.tsx';
import { ModelBenchmark } from '../parts/msty/model-benchmark.tsx';
import { Absent, Failure, Loading } from '../parts/states.tsx';
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
  return (
    <>
      {health.error && <Failure error={health.error} />}
      {health.isLoading && !health.value && <Loading what="the installation" />}
      {health.value && <Installation health={health.value} />}
      <section>
        <h2>Models</h2>
        {models.error && <Failure error={models.error} />}
        {models.value && <Models models={listed} />}
      </section>
      <div class="cards wide">
        <ChatBox models={chatting} />
        <Usage />
      </div>
      <ModelBenchmark models={chatting} />
    </>
  );
}

const DOTS: Record<string, string> = { healthy: 'up', warning: 'waiting', critical: 'down' };

function verdict({ overall_status: state, database_status: { exists } }: Health): string {
  if (state === 'healthy') return 'Msty is healthy';
  if (!exists) return 'Msty Studio was not found on this machine';
  return state === 'warning' ? 'Msty works, but something wants a look' : 'Msty does not work as it should';
}

function Installation({ health }: { health: Health }) {
  const { database_status: database, service_status: services } = health;
  return (
    <section class="card">
      <h2>
        <span class={`dot ${DOTS[health.overall_status] ?? ''}`} aria-hidden="true" /> {verdict(health)}
      </h2>
      <ul class="services">
        <li>
          <span class={`dot ${database.exists ? 'up' : ''}`} aria-hidden="true" />
          <span>
            Studio's database
            <br />
            <span class="hint">
              {database.exists
                ? `${database.size_mb ?? '?'} MB, integrity ${database.integrity ?? 'not checked'}`
                : 'not found'}
            </span>
          </span>
        </li>
        {Object.entries(services).map(([name, { available, port }]) => (
          <li key={name}>
            <span class={`dot ${available ? 'up' : ''}`} aria-hidden="true" />
            <span>
              {serviceName(name)}
              <br />
              <span class="hint">{available ? `answers on port ${port}` : `not running on port ${port}`}</span>
            </span>
          </li>
        ))}
      </ul>
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

function Models({ models }: { models: readonly ListedModel[] }) {
  if (models.length === 0) {
    return <p class="hint">No service lists a model. Start Msty Studio, Ollama or LM Studio.</p>;
  }
  const hasSizes = models.some(({ size_gb: size }) => size);
  return (
    <DataTable
      label="Models"
      columns={['Model', 'Service', 'Tags', ...(hasSizes ? ['Size'] : [])]}
      rows={models.map(({ id, _service, tags = [], size_gb: size }) => [
        id,
        serviceName(_service ?? ''),
        tags.join(', '),
        size ? `${size} GB` : 'unknown',
      ])}
    />
  );
}

function Usage() {
  const usage = useLoaded(
    (signal) => askMsty<{ daily: Day[] }>('get_insights_usage', { timeframe: `${DAYS}d` }, { signal }),
    [],
  );
  const days = usage.value?.daily;
  return (
    <section class="card">
      <h2>Usage, last {DAYS} days</h2>
      {usage.error && <p class="hint">{usage.error}</p>}
      {days?.length === 0 && <p class="hint">Msty Studio has recorded no calls in this time.</p>}
      {days && days.length > 0 && <DayChart days={everyDay(days, DAYS)} />}
    </section>
  );
}
