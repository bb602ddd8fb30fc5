import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Storage } from '@atoll-mcp/core/storage';
import { openStorage, type StorageOptions } from '@atoll-mcp/storage';
import { afterEach, beforeEach } from 'vitest';
import type { ChildJob } from './storage-child.ts';

/** A place to store things that a suite may fill, open again, and open from other processes. */
export interface StorageTarget {
  readonly options: StorageOptions;
  remove(): Promise<void>;
}

export interface StorageSuiteOptions {
  /** Makes a fresh, empty place for one test. */
  make(): Promise<StorageTarget>;
  /** Whether the content outlives the process and is shared by several. Those tests are left out otherwise. */
  readonly durable: boolean;
}

interface StorageUnderTest {
  /** The storage of this test, opened once. */
  readonly storage: Storage;
  /** The same place once more, as another part of the program or a restart would open it. */
  again(): Storage;
  /** Another process on the same place. */
  start(job: ChildJob): Child;
}

export interface Child {
  /** What the process says it has finished, in the order it said so. */
  readonly acknowledged: string[];
  /** Resolves once it acknowledged that many. */
  reached(count: number): Promise<void>;
  /** SIGKILL: the process gets no chance to finish anything. */
  kill(): Promise<void>;
  /** Resolves when the process ends by itself. */
  ended(): Promise<void>;
}

// Built either way: a process of its own can't run the sources.
const PROGRAM = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../dist/storage-child.js' : './storage-child.js', import.meta.url),
);

/** Gives each test a fresh storage, and clears everything away after it. */
export function useStorage({ make }: StorageSuiteOptions): StorageUnderTest {
  let target: StorageTarget;
  let opened: Storage[] = [];
  let children: Child[] = [];
  const open = () => {
    const storage = openStorage(target.options);
    opened.push(storage);
    return storage;
  };
  beforeEach(async () => {
    target = await make();
    opened = [];
    children = [];
    open();
  });
  afterEach(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await Promise.all(opened.map((storage) => storage.close()));
    await target.remove();
  });
  return {
    get storage() {
      return opened[0] as Storage;
    },
    again: open,
    start(job) {
      const child = startChild(target.options, job);
      children.push(child);
      return child;
    },
  };
}

function startChild(options: StorageOptions, job: ChildJob): Child {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ options, job })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => acknowledged.push(line));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    acknowledged,
    async reached(count) {
      while (acknowledged.length < count) {
        const next = new Promise<void>((resolve) => lines.once('line', () => resolve()));
        await Promise.race([next, closed.then(() => refuse(child, acknowledged.length, count))]);
      }
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async ended() {
      await closed;
      if (child.exitCode !== 0) throw new Error(`The other process ended with ${child.exitCode ?? child.signalCode}.`);
    },
  };
}

function refuse(child: ChildProcess, reached: number, count: number): void {
  if (reached < count) throw new Error(`The other process ended (${child.exitCode}) after ${reached} of ${count}.`);
}
