import { useLayoutEffect, useState } from 'preact/hooks';
import { listen, request } from './mcp.ts';

export interface UpstreamStatus {
  readonly key: string;
  readonly state: string;
  readonly kind?: string;
  readonly since?: string;
  readonly tools?: number;
  readonly calls?: number;
  readonly failures?: number;
  readonly call_tokens?: number;
  readonly latest_ms?: readonly number[];
  readonly reason?: string;
  readonly definitions?: { readonly state: string; readonly held_back: number; readonly warnings?: readonly string[] };
}

/** What the list of a view costs a model that is given all of it. */
export interface ViewCost {
  readonly name?: string;
  readonly tools: number;
  readonly list_tokens: number;
}

export interface Status {
  readonly upstreams: readonly UpstreamStatus[];
  readonly views?: readonly ViewCost[];
}

export const STATUS_URI = 'atoll://status';

/** Read as a resource: a call of `atoll_status` would itself be counted, and would be told as a change. */
export async function readStatus(signal: AbortSignal): Promise<Status> {
  const { contents } = await request<{ contents: { text: string }[] }>(
    'resources/read',
    { uri: STATUS_URI },
    { signal },
  );
  return JSON.parse(contents[0]?.text ?? '{}') as Status;
}

/** The endpoint's state, renewed whenever it says that it has changed. */
export function useStatus(): { status: Status | undefined; error: string | undefined } {
  const [status, setStatus] = useState<Status>();
  const [error, setError] = useState<string>();
  useLayoutEffect(() => {
    const controller = new AbortController();
    const fail = (fault: Error) => !controller.signal.aborted && setError(fault.message);
    const load = () =>
      readStatus(controller.signal).then((value) => {
        setStatus(value);
        setError(undefined);
      }, fail);
    void load();
    const filter = { resourceSubscriptions: [STATUS_URI], toolsListChanged: true };
    void listen(filter, { event: load, break: fail }, controller.signal);
    return () => controller.abort();
  }, []);
  return { status, error };
}
