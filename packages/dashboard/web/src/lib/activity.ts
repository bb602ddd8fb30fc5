import { useEffect, useRef, useState } from 'preact/hooks';
import { admin, type CallSummary, type SeriesPoint } from './admin.ts';
import { listen, VIEWER } from './mcp.ts';
import { STATUS_URI } from './status.ts';

/** Enough to read; older ones are found with the filters. */
const MOST = 300;

export interface ActivityFilter {
  readonly server: string;
  readonly outcome: string;
  readonly text: string;
  /** Without the calls that the page makes to show something. */
  readonly isWithoutViewer: boolean;
}

export interface ActivityState {
  readonly calls: readonly CallSummary[];
  readonly recorded: number;
  readonly capacity: number;
  readonly keeps_bodies: boolean;
}

/** The latest calls, kept up to date while `isLive`. However many calls there are, it asks at most twice a second. */
export function useActivity(filter: ActivityFilter, isLive: boolean) {
  const [state, setState] = useState<ActivityState>();
  const [series, setSeries] = useState<Readonly<Record<string, readonly SeriesPoint[]>>>({});
  const [error, setError] = useState<Error>();
  const seen = useRef(0);
  const { server, outcome, text, isWithoutViewer } = filter;
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const wanted = {
      ...(server && { server }),
      ...(outcome && { outcome }),
      ...(text && { text }),
      ...(isWithoutViewer && { except_client: VIEWER }),
    };
    seen.current = 0;
    let isAsking = false;
    const load = async () => {
      // A slow answer must not be overtaken by the next question.
      if (isAsking) return;
      isAsking = true;
      try {
        const after = seen.current;
        const next = await admin<ActivityState>('activity', { ...wanted, after, limit: MOST }, { signal });
        seen.current = next.recorded;
        setState((before) => ({
          ...next,
          calls: after === 0 ? next.calls : [...next.calls, ...(before?.calls ?? [])].slice(0, MOST),
        }));
        setSeries((await admin<{ servers: Record<string, SeriesPoint[]> }>('series', {}, { signal })).servers);
        setError(undefined);
      } catch (fault) {
        if (!signal.aborted) setError(fault as Error);
      } finally {
        isAsking = false;
      }
    };
    void load();
    if (isLive) {
      const on = { event: () => void load(), break: (fault: Error) => !signal.aborted && setError(fault) };
      void listen({ resourceSubscriptions: [STATUS_URI] }, on, signal);
    }
    return () => controller.abort();
  }, [server, outcome, text, isWithoutViewer, isLive]);
  return { state, series, error };
}
