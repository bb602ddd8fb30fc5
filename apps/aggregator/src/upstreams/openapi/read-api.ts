import { Worker } from 'node:worker_threads';
import type { Logger } from '@atoll-mcp/core';
import { ConfigError } from '@atoll-mcp/server';
import type { OpenApi } from './open-api.ts';
import type { ReadMessage, ReadTask } from './read-worker.ts';

// Run from its sources (tests), the package has its built program beside them.
const program = new URL(
  import.meta.url.endsWith('.ts')
    ? '../../../dist/upstreams/openapi/read-worker.js'
    : './upstreams/openapi/read-worker.js',
  import.meta.url,
);

const HEAP_MEGABYTES = 1_024;
/** Checking the rules of OpenAPI serves a warning only. */
const CHECK_MS = 20_000;

interface ReadApiOptions extends ReadTask {
  readonly name: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/** Reads an OpenAPI document in a thread: a hostile or very large one costs time and memory of that thread only. Throws `ConfigError`. */
export function readApi({ name, text, where, timeoutMs, signal, log }: ReadApiOptions): Promise<OpenApi> {
  const workerData: ReadTask = { text, where };
  const thread = new Worker(program, {
    workerData,
    env: {},
    argv: [],
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
  });
  const end = () => void thread.terminate();
  return new Promise<OpenApi>((resolve, reject) => {
    const fail = (problem: string) => {
      reject(new ConfigError([problem]));
      end();
    };
    let timer = setTimeout(
      () => fail(`${where} could not be read within ${timeoutMs} ms ("startTimeoutMs"); JSON is read faster than YAML`),
      timeoutMs,
    );
    const onAbort = () => {
      reject(signal.reason);
      end();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    thread.on('message', (message: ReadMessage) => {
      if ('api' in message) {
        clearTimeout(timer);
        timer = setTimeout(end, CHECK_MS);
        thread.unref();
        timer.unref();
        for (const note of message.api.notes) log.warn('OpenAPI document is used in part', { upstream: name, note });
        resolve(message.api);
      } else if ('broken' in message) {
        if (message.broken === undefined) return;
        log.warn('OpenAPI document is not valid', { upstream: name, problem: message.broken });
      } else {
        reject(new ConfigError([message.problem]));
      }
    });
    thread.once('error', (error: Error & { code?: string }) =>
      fail(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `${where} needs more than ${HEAP_MEGABYTES} MB of memory to be read`
          : `${where} could not be read (${error.name})`,
      ),
    );
    thread.once('exit', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      reject(new ConfigError([`${where} could not be read`]));
    });
  });
}
