import { useLoaded } from '../lib/hooks.ts';
import { ask } from '../lib/mcp.ts';
import { Bars } from '../parts/bars.tsx';
import { ChatBox } from '../parts/chat-box.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { Absent, Failure, Loading } from '../parts/states.tsx';
import { has, type PageProps } from './page.ts';

interface Health {
  readonly overall_status: string;
  readonly database_status: {
    readonly exists: boolean;
    readonly size_mb: number | null;
    readonly integrity: string | null;
  };
  readonly service_status: Readonly<Record<string, { readonly available: boolean; readonly port: number }>>;
  readonly recommendations: readonly unknown[];
}

interface Models {
  readonly models: readonly {
    readonly id: string;
    readonly _service?: string;
    readonly tags?: readonly string[];
    readonly size_gb?: number | null;
  }[];
}

const data = async <Body,>(tool: string, args: Record<string, unknown>, signal: AbortSignal) =>
  (await ask<{ data: Body }>(tool, args, { signal })).data;

/** The installation, its services and models, and a word with one of them. */
export function Msty({ tools }: PageProps) {
  const health = useLoaded((signal) => data<Health>('analyse_msty_health', {}, signal), []);
  const models = useLoaded((signal) => data<Models>('list_available_models', {}, signal), []);
  const usage = useLoaded(
    (signal) =>
      data<{ daily?: readonly { day: string; calls: number }[] }>('get_insights_usage', { timeframe: '30d' }, signal),
    [],
  );
  if (!has(tools, 'analyse_msty_health')) return <Absent server="msty-admin" />;
  return (
    <>
      {health.error && <Failure error={health.error} />}
      {health.isLoading && !health.value && <Loading what="the installation" />}
      {health.value && <Installation health={health.value} />}
      <section>
        <h2>Models</h2>
        {models.error && <p class="hint">{models.error}</p>}
        {models.value && models.value.models.length === 0 && (
          <p class="hint">No service lists a model. Start Msty Studio, Ollama or LM Studio.</p>
        )}
        {models.value && models.value.models.length > 0 && (
          <DataTable
            columns={['Model', 'Service', 'Tags', 'Size']}
            rows={models.value.models.map((model) => [
              model.id,
              model._service ?? '',
              (model.tags ?? []).join(', '),
              model.size_gb ? `${model.size_gb} GB` : '',
            ])}
          />
        )}
      </section>
      <div class="cards wide">
        <ChatBox models={models.value?.models.map(({ id }) => id) ?? []} />
        <Bars
          title="Usage, last 30 days"
          entries={(usage.value?.daily ?? []).map(({ day, calls }) => [day, calls] as const)}
          empty={usage.error ?? 'No usage is recorded yet.'}
        />
      </div>
    </>
  );
}

function Installation({ health }: { health: Health }) {
  const { database_status: database, service_status: services } = health;
  return (
    <section>
      <p class="lead">
        Msty is <strong>{health.overall_status}</strong>.
      </p>
      <div class="cards">
        <div class="card">
          <h2>Database</h2>
          <p>
            {database.exists
              ? `${database.size_mb ?? '?'} MB, integrity ${database.integrity ?? 'not checked'}`
              : 'not found'}
          </p>
        </div>
        {Object.entries(services).map(([name, { available, port }]) => (
          <div class="card" key={name}>
            <h2>
              <span class={`dot ${available ? 'up' : 'down'}`} aria-hidden="true" /> {name.replaceAll('_', ' ')}
            </h2>
            <p>
              {available ? 'answers' : 'does not answer'} on port {port}
            </p>
          </div>
        ))}
      </div>
      {health.recommendations.length > 0 && (
        <ul>
          {health.recommendations.map((line) => {
            const text = typeof line === 'string' ? line : JSON.stringify(line);
            return <li key={text}>{text}</li>;
          })}
        </ul>
      )}
    </section>
  );
}
