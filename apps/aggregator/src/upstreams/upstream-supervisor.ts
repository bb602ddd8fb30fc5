import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeEvent, Json, RawResult } from '@atoll-mcp/core';
import { fetchLists, type Lists } from '../catalog/lists.ts';
import { UpstreamLists } from '../catalog/upstream-lists.ts';
import { UpstreamFault, upstreamDisabled, upstreamDown } from '../errors.ts';
import type { UpstreamPin } from '../pins/upstream-pin.ts';
import { Backoff } from './backoff.ts';
import { describeFailure } from './describe-failure.ts';
import { IdleTimer } from './idle-timer.ts';
import type { Link, Upstream, UpstreamRequest } from './interface.ts';
import type { State, SupervisorEvents, SupervisorOptions } from './supervisor-options.ts';

const PROBE_MS = 5_000;

/** Supervises one upstream: starts it, caches its lists, restarts it after a loss, stops it when idle. */
export class UpstreamSupervisor {
  readonly key: string;
  readonly upstream: Upstream;
  readonly #options: SupervisorOptions;
  readonly #events: SupervisorEvents;
  readonly #backoff: Backoff;
  readonly #watched = new Map<string, number>();
  readonly #lists: UpstreamLists;
  readonly #idle: IdleTimer;
  #link: Link | undefined;
  #starting: Promise<Link> | undefined;
  #logLevel: string | undefined;
  /** The link that is being probed. */
  #probed: Link | undefined;
  #closed = false;
  /** Failed and not up since. */
  #isOut = false;
  #stopping = new AbortController();
  state: State;
  /** When the current state began. */
  since = new Date();
  downReason: string | undefined;
  /** Why its lists could not be merged; the upstream itself may be up. */
  listProblem: string | undefined;
  /** When the current start began (monotonic clock). */
  startedAt = 0;
  underway = 0;

  constructor(options: SupervisorOptions, events: SupervisorEvents) {
    this.key = options.key;
    this.upstream = options.upstream;
    this.#options = options;
    this.#events = events;
    this.#backoff = new Backoff(options.random);
    this.#lists = new UpstreamLists(options, (event) => {
      this.listProblem = undefined;
      events.onChange(event);
    });
    this.#idle = new IdleTimer(options.idleTimeoutMs, () => void this.#stopIdle());
    this.state = options.disabled ? 'disabled' : 'waiting';
  }

  get lists(): Lists {
    return this.#lists.lists;
  }

  get pin(): UpstreamPin | undefined {
    return this.#options.pin;
  }

  get link(): Link | undefined {
    return this.#link;
  }

  /** Tools of a failed upstream are hidden; those of a starting one are shown from the cache. */
  get isShown(): boolean {
    return this.state !== 'disabled' && !this.#isOut;
  }

  get restarts(): number {
    return this.#backoff.starts > 0 ? this.#backoff.starts - 1 : 0;
  }

  /** Loads cached lists and starts in the background. */
  async begin(): Promise<void> {
    if (this.state === 'disabled') return;
    await this.#lists.recall();
    this.#start().catch(() => {});
  }

  /** The open link; starts the upstream if necessary. Rejects immediately during backoff. */
  ready(): Promise<Link> {
    if (this.state === 'disabled') return Promise.reject(upstreamDisabled(this.key));
    if (this.#link) return Promise.resolve(this.#link);
    if (this.#starting) return this.#starting;
    const restMs = this.#backoff.restMs();
    if (this.state === 'down' && restMs > 0) {
      return Promise.reject(upstreamDown(this.key, this.downReason ?? 'it has failed', restMs));
    }
    return this.#start();
  }

  /** Stops the server if it runs, which fails the calls under way, and starts it again. */
  async restart(): Promise<void> {
    const link = this.#link;
    this.#link = undefined;
    await link?.close();
    await this.#start();
  }

  async request(request: UpstreamRequest): Promise<Json | RawResult> {
    this.underway++;
    try {
      const link = this.#link ?? (await this.ready());
      return await link.request(request);
    } catch (error) {
      if (error instanceof UpstreamFault && error.reason === 'timeout') void this.#probe();
      // Not delivered, so a retry is safe.
      if (!(error instanceof UpstreamFault) || error.reason !== 'unanswered') throw error;
      return await (await this.ready()).request(request);
    } finally {
      this.underway--;
      this.#armIdleTimer();
    }
  }

  async watch(uri: string): Promise<void> {
    this.#watched.set(uri, (this.#watched.get(uri) ?? 0) + 1);
    this.#armIdleTimer();
    try {
      await (await this.ready()).watch([...this.#watched.keys()]);
    } catch (error) {
      await this.unwatch(uri).catch(() => {});
      throw error;
    }
  }

  async unwatch(uri: string): Promise<void> {
    const count = this.#watched.get(uri) ?? 0;
    if (count > 1) return void this.#watched.set(uri, count - 1);
    if (!this.#watched.delete(uri)) return;
    this.#armIdleTimer();
    await this.#link?.watch([...this.#watched.keys()]);
  }

  /** Reads the resources of an in-process server, which are not cached. */
  async readResources(): Promise<void> {
    if (this.#link?.app) await this.#lists.readResources(this.#link);
  }

  /** The most verbose level that any client requested. */
  setLogLevel(level: string): void {
    this.#logLevel = level;
    const link = this.#link;
    if (link?.era !== 'legacy' || link.capabilities.logging === undefined) return;
    link.ask('logging/setLevel', { level }, this.#options.startTimeoutMs).catch(() => {});
  }

  notify(method: string, params: Json): void {
    this.#link?.notify(method, params);
  }

  /** Called when an entry of its lists could not be merged into the catalog. */
  listFailed(error: unknown): void {
    if (this.listProblem === undefined)
      this.#options.log.error('upstream list not merged', { upstream: this.key, error });
    this.listProblem = 'its list could not be read completely';
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#stopping.abort();
    this.#idle.clear();
    const link = this.#link ?? (await this.#starting?.catch(() => undefined));
    this.#link = undefined;
    await Promise.all([link?.close(), this.#lists.kept]);
  }

  #start(): Promise<Link> {
    if (this.#closed) return Promise.reject(upstreamDown(this.key, 'Atoll is stopping'));
    this.#starting ??= this.#open().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #open(): Promise<Link> {
    const { upstream, startTimeoutMs, log } = this.#options;
    this.#become('starting');
    this.startedAt = performance.now();
    this.#backoff.begun();
    let opened: Link | undefined;
    try {
      const events = {
        onChange: (event: ChangeEvent) => this.#lists.changed(event, () => this.#link),
        onNotification: this.#events.onNotification,
        onClose: (why: string) => this.#lost(link, why),
      };
      const link: Link = await upstream.open(events, this.#stopping.signal);
      opened = link;
      const lists = await fetchLists(link, startTimeoutMs);
      if (this.#closed) throw upstreamDown(this.key, 'Atoll is stopping');
      this.#link = link;
      if (this.#watched.size > 0 || link.era === 'modern') link.watch([...this.#watched.keys()]).catch(() => {});
      if (this.#logLevel !== undefined) this.setLogLevel(this.#logLevel);
      this.#backoff.succeeded();
      this.#become('up');
      this.#lists.adopt(lists, link);
      log.info('upstream is up', { upstream: this.key, era: link.era, tools: lists.tools.length });
      this.#armIdleTimer();
      return link;
    } catch (error) {
      void opened?.close();
      if (!this.#closed) this.#failed(error);
      throw upstreamDown(this.key, this.downReason ?? 'it could not be started', this.#backoff.restMs());
    }
  }

  #failed(error: unknown): void {
    const waitMs = this.#backoff.failed();
    this.downReason = describeFailure(error);
    this.#become('down');
    this.#options.log.warn('upstream failed', {
      upstream: this.key,
      reason: this.downReason,
      retryInMs: Math.round(waitMs),
    });
    void this.#startLater(waitMs);
  }

  /** Probes an upstream after a timeout; one that no longer responds is restarted. */
  async #probe(): Promise<void> {
    const link = this.#link;
    if (!link || link.app || this.#probed === link) return;
    this.#probed = link;
    try {
      await link.ask(link.probe, {}, PROBE_MS);
    } catch (error) {
      if (error instanceof UpstreamFault && error.reason === 'timeout') this.#lost(link, 'it stopped responding');
    }
    this.#probed = undefined;
  }

  #lost(link: Link, why: string): void {
    if (this.#closed || this.#link !== link) return;
    this.#link = undefined;
    void link.close().catch(() => {});
    this.#options.log.warn('upstream lost', { upstream: this.key, reason: why });
    this.downReason = why;
    const waitMs = this.#backoff.lost();
    if (waitMs === 0) return void this.#start().catch(() => {});
    this.#become('down');
    void this.#startLater(waitMs);
  }

  async #startLater(waitMs: number): Promise<void> {
    await delay(waitMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {});
    if (this.#closed || this.#link || this.#starting || this.state !== 'down') return;
    this.#start().catch(() => {});
  }

  #become(state: State): void {
    const wasShown = this.isShown;
    if (this.state !== state) this.since = new Date();
    this.state = state;
    if (state === 'down') this.#isOut = true;
    if (state === 'up') {
      this.#isOut = false;
      this.downReason = undefined;
    }
    if (wasShown === this.isShown) return;
    for (const kind of ['tools', 'prompts', 'resources'] as const) this.#events.onChange({ kind });
  }

  #armIdleTimer(): void {
    this.#idle.touch(this.underway > 0 || this.#watched.size > 0 || !this.#link);
  }

  async #stopIdle(): Promise<void> {
    const link = this.#link;
    if (!link || this.underway > 0 || this.#watched.size > 0) return;
    this.#link = undefined;
    this.#become('waiting');
    this.#options.log.info('idle upstream stopped', { upstream: this.key });
    await link.close();
  }
}
