import type { ServiceAddress, ServiceState } from '../backends/interface.ts';
import { showPath } from '../domain/home-path.ts';
import { factsOf } from '../domain/models/model-facts.ts';
import { NEXUS_PORT } from '../domain/models/services.ts';
import { tagsOf } from '../domain/models/tags.ts';
import { nexusUnavailable, serviceProblem } from '../errors.ts';
import type { ServiceOptions } from './options.ts';
import { type ServiceQuery, sendQuery } from './service-query.ts';

type Nexus = ServiceAddress<'nexus'>;

/** Msty Nexus, the gateway that offers local and remote models under one address. */
export class NexusArea {
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    this.#options = options;
  }

  async detect(signal: AbortSignal) {
    const [place, state] = await Promise.all([this.#options.backends.installation.findNexus(), this.#look(signal)]);
    const shown = (path: string | null) => (path === null ? null : showPath(path, this.#options.home));
    return {
      installed: place.app !== null || place.data !== null,
      paths: { app: shown(place.app), data: shown(place.data) },
      port: state.port,
      available: state.available,
      modelCount: state.models.length,
      problem: state.problem?.message ?? null,
    };
  }

  async models(signal: AbortSignal) {
    const { port, models } = await this.#available(signal);
    return {
      port,
      models: models.map((model) => ({
        id: model.id,
        tags: tagsOf(model),
        contextLength: factsOf(model).contextLength,
      })),
      total: models.length,
    };
  }

  async query(path: string, method: 'GET' | 'POST', body: unknown, signal: AbortSignal) {
    const { name, port } = await this.#available(signal);
    const query: ServiceQuery = { path, method, body, pathName: 'path', bodyName: 'data' };
    const answer = await sendQuery(this.#options, { name, port }, query, signal);
    return { path, method, port, status: answer.status, response: answer.response };
  }

  async #available(signal: AbortSignal): Promise<ServiceState<'nexus'>> {
    const state = await this.#look(signal);
    if (state.problem) throw serviceProblem(state.problem);
    return state;
  }

  async #look(signal: AbortSignal): Promise<ServiceState<'nexus'>> {
    const { backends, timeoutMs, nexusPort } = this.#options;
    const nexus: Nexus = { name: 'nexus', port: nexusPort ?? NEXUS_PORT };
    const state = await backends.services.look(nexus, { signal, timeoutMs });
    // A port that was configured for Nexus is trusted; at the usual one it may be Ollama that answers.
    if (!state.available || nexusPort !== undefined || !(await this.#isOllama(nexus, signal))) return state;
    const { code, message, suggestion } = nexusUnavailable(nexus.port);
    return { ...nexus, available: false, models: [], problem: { code, message, suggestion } };
  }

  async #isOllama(nexus: Nexus, signal: AbortSignal): Promise<boolean> {
    const { backends, timeoutMs } = this.#options;
    const call = { method: 'GET', path: '/api/version' } as const;
    const answer = await backends.services.request(nexus, call, { signal, timeoutMs }).catch(() => null);
    const body = answer?.status === 200 ? answer.body : null;
    return body !== null && typeof body === 'object' && 'version' in body;
  }
}
