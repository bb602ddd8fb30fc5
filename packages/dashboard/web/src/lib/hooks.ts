import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { admin } from './admin.ts';
import { GRANTED, RpcError } from './mcp.ts';
import { t } from './texts.ts';

export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly error: string | undefined;
  /** The same error, for those who look at more than its message. */
  readonly failure: Error | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface LoadOptions {
  /** Keep the last value when a later load fails. */
  readonly keepsValue?: boolean;
}

/** Loads something when its keys change; a newer load always wins over an older one. */
export function useLoaded<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
  { keepsValue = false }: LoadOptions = {},
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; failure?: Error; isLoading: boolean }>({ isLoading: true });
  const [round, setRound] = useState(0);
  // Before the browser paints: on a slow machine a load that waits for a frame is late by as much.
  useLayoutEffect(() => {
    const controller = new AbortController();
    setState((before) => (before.isLoading ? before : { ...before, isLoading: true }));
    load(controller.signal).then(
      (value) => !controller.signal.aborted && setState({ value, isLoading: false }),
      (failure: Error) =>
        !controller.signal.aborted &&
        setState(({ value }) => ({ ...(keepsValue && value !== undefined && { value }), failure, isLoading: false })),
    );
    return () => controller.abort();
  }, [...keys, round]);
  const isRefused = state.failure instanceof RpcError && state.failure.code === 401;
  useEffect(() => {
    if (!isRefused) return;
    const again = () => setRound((now) => now + 1);
    addEventListener(GRANTED, again);
    return () => removeEventListener(GRANTED, again);
  }, [isRefused]);
  return {
    value: state.value,
    error: state.failure?.message,
    failure: state.failure,
    isLoading: state.isLoading,
    reload: useCallback(() => setRound((now) => now + 1), []),
  };
}

/** What a tool of administration answers, asked again when the keys change. */
export function useAdmin<Value>(
  name: string,
  args: Record<string, unknown>,
  keys: readonly unknown[],
  options?: LoadOptions,
): Loaded<Value> {
  return useLoaded((signal) => admin<Value>(name, args, { signal }), keys, options);
}

/** A value that follows another only once it has rested. */
export function useRested<Value>(value: Value, restMs: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return rested;
}

/** One piece of work at a time, started by a person: its result, its failure, and how to stop it. */
export function useAction<Args extends readonly unknown[], Value>(
  act: (signal: AbortSignal, ...args: Args) => Promise<Value>,
) {
  const [state, setState] = useState<{ value?: Value; error?: string; isRunning: boolean }>({ isRunning: false });
  const controller = useRef<AbortController>(undefined);
  const run = useCallback(
    async (...args: Args) => {
      controller.current?.abort();
      const own = new AbortController();
      controller.current = own;
      setState((before) => ({ ...before, isRunning: true }));
      try {
        const value = await act(own.signal, ...args);
        if (controller.current === own) setState({ value, isRunning: false });
        return true;
      } catch (error) {
        if (controller.current !== own) return false;
        setState({ error: own.signal.aborted ? t('Cancelled.') : (error as Error).message, isRunning: false });
        return false;
      }
    },
    [act],
  );
  const cancel = useCallback(() => controller.current?.abort(), []);
  return { ...state, run, cancel };
}
