import type { ChangeEvent, Logger } from '@atoll-mcp/core';
import type { UpstreamPin } from '../pins/upstream-pin.ts';
import { describeFailure } from '../upstreams/describe-failure.ts';
import type { Link } from '../upstreams/interface.ts';
import type { ListStore } from './list-store.ts';
import { fetchList, type ListName, type Lists, NO_LISTS } from './lists.ts';

const CHANGE_WAIT_MS = 50;

interface UpstreamListsOptions {
  readonly key: string;
  readonly identity: unknown;
  readonly startTimeoutMs: number;
  readonly store: ListStore;
  readonly log: Logger;
  /** Undefined for built-in servers. */
  readonly pin?: UpstreamPin | undefined;
}

/** The lists of one upstream: cached from the last run, fetched at start, refreshed after each change. */
export class UpstreamLists {
  readonly #options: UpstreamListsOptions;
  readonly #tell: (event: ChangeEvent) => void;
  readonly #dirty = new Set<ListName>();
  lists: Lists = NO_LISTS;
  /** Resolves when the latest lists are on disk. */
  kept: Promise<void> | undefined;

  constructor(options: UpstreamListsOptions, tell: (event: ChangeEvent) => void) {
    this.#options = options;
    this.#tell = tell;
  }

  async recall(): Promise<void> {
    const known = await this.#options.store.load(this.#options.key, this.#options.identity);
    if (!known || this.lists !== NO_LISTS) return;
    this.#options.pin?.examine(known.tools, undefined);
    this.lists = known;
    this.#tell({ kind: 'tools' });
  }

  /** Refreshes a list after a change notification, then reports the change. */
  changed(event: ChangeEvent, link: () => Link | undefined): void {
    if (event.kind === 'resource' || (event.kind === 'resources' && link()?.app)) {
      this.#tell(event);
      return;
    }
    const isFirst = this.#dirty.size === 0;
    this.#dirty.add(event.kind);
    if (event.kind === 'resources') this.#dirty.add('templates');
    if (isFirst) setTimeout(() => void this.#renew(link), CHANGE_WAIT_MS).unref();
  }

  async readResources(link: Link): Promise<void> {
    const resources = await fetchList(link, 'resources', this.#options.startTimeoutMs).catch(() => []);
    this.lists = { ...this.lists, resources };
  }

  /** Replaces the lists and reports which of them differ. */
  adopt(fetched: Lists, { serverInfo }: Pick<Link, 'serverInfo'>): void {
    const before = this.lists;
    const differs = (name: ListName) => JSON.stringify(before[name]) !== JSON.stringify(fetched[name]);
    const isChanged = {
      tools: differs('tools'),
      prompts: differs('prompts'),
      resources: differs('resources') || differs('templates'),
    };
    // Equal definitions stay the same objects, so what was made of them is not made again.
    const lists = isChanged.tools ? fetched : { ...fetched, tools: before.tools };
    this.#options.pin?.examine(lists.tools, serverInfo);
    this.lists = lists;
    for (const kind of ['tools', 'prompts', 'resources'] as const) if (isChanged[kind]) this.#tell({ kind });
    if (!isChanged.tools && !isChanged.prompts && !isChanged.resources) return;
    const { store, key, identity, log } = this.#options;
    this.kept = store.save(key, identity, lists).catch((error: unknown) => {
      log.warn('lists not saved', { upstream: key, error });
    });
  }

  async #renew(linkOf: () => Link | undefined): Promise<void> {
    const names = [...this.#dirty];
    this.#dirty.clear();
    const link = linkOf();
    if (!link) return;
    const { key, startTimeoutMs, log } = this.#options;
    try {
      const renewed = await Promise.all(
        names.map(async (name) => [name, await fetchList(link, name, startTimeoutMs)] as const),
      );
      if (linkOf() === link) this.adopt({ ...this.lists, ...Object.fromEntries(renewed) }, link);
    } catch (error) {
      log.warn('list not refreshed', { upstream: key, reason: describeFailure(error) });
    }
  }
}
