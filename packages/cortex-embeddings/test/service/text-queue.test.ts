import { describe, expect, test } from 'vitest';
import type { EmbeddingBackend } from '../../src/backends/interface.ts';
import type { EmbeddedText } from '../../src/domain/embedded-text.ts';
import { TextQueue } from '../../src/service/text-queue.ts';

/** A backend whose runs end when the test says so. */
class HeldBackend implements EmbeddingBackend {
  readonly model = {
    name: 'held',
    identity: 'held',
    dimensions: 1,
    maxTokens: null,
    prompts: { query: '', passage: '' },
  };
  readonly maxConcurrentRuns: number;
  readonly perRun: EmbeddingBackend['perRun'];
  readonly runs: { texts: readonly string[]; signal: AbortSignal; end(error?: Error): void }[] = [];

  constructor({ maxConcurrentRuns = 1, texts = 2, characters = 100, byLength = false } = {}) {
    this.maxConcurrentRuns = maxConcurrentRuns;
    this.perRun = { texts, characters, spread: true, byLength };
  }

  state = () => ({ name: 'held', loaded: true, notes: {} });
  load = async () => {};
  close = async () => {};
  embed(texts: readonly string[], { signal }: { signal: AbortSignal }): Promise<EmbeddedText[]> {
    return new Promise((resolve, reject) => {
      const embedded = texts.map((text) => ({ vector: Float32Array.of(text.length), tokens: null, truncated: false }));
      this.runs.push({ texts, signal, end: (error) => (error ? reject(error) : resolve(embedded)) });
    });
  }

  /** Ends runs in the order they began until nothing is left. */
  async endAll(): Promise<string[][]> {
    const order = [];
    for (let next = this.runs.shift(); next; next = this.runs.shift()) {
      order.push([...next.texts]);
      next.end();
      await new Promise(setImmediate);
    }
    return order;
  }
}

describe('order', () => {
  test('interactive texts go ahead of bulk texts that wait', async () => {
    const backend = new HeldBackend();
    const queue = new TextQueue(backend);
    const bulk = queue.embed(['b1', 'b2', 'b3', 'b4'], { priority: 'bulk' });
    const asked = queue.embed(['i1']);
    expect(await backend.endAll()).toEqual([['b1', 'b2'], ['i1'], ['b3', 'b4']]);
    await Promise.all([bulk, asked]);
  });

  test('bulk texts get a turn under a steady stream of interactive ones', async () => {
    const backend = new HeldBackend({ texts: 1 });
    const queue = new TextQueue(backend);
    const asked = queue.embed(Array.from({ length: 20 }, (_, index) => `i${index}`));
    const bulk = queue.embed(['b'], { priority: 'bulk' });
    const order = (await backend.endAll()).flat();
    expect(order.indexOf('b')).toBeGreaterThan(3);
    expect(order.indexOf('b')).toBeLessThan(12);
    await Promise.all([asked, bulk]);
  });

  test('free maxConcurrentRuns share the work, and a long text has a run of its own', async () => {
    const backend = new HeldBackend({ maxConcurrentRuns: 2, texts: 8, characters: 10 });
    const queue = new TextQueue(backend);
    const vectors = queue.embed(['aa', 'bb', 'cc', 'a text of more than ten characters']);
    expect(backend.runs.map(({ texts }) => texts)).toEqual([['aa', 'bb'], ['cc']]);
    await backend.endAll();
    expect(await vectors).toEqual([2, 2, 2, 34].map((length) => Float32Array.of(length)));
  });
});

test('bulk texts come sorted where that helps, and vectors come back in the order of the texts', async () => {
  const backend = new HeldBackend({ byLength: true });
  const queue = new TextQueue(backend);
  const bulk = queue.embed(['b', 'bbbb', 'bb', 'bbb'], { priority: 'bulk' });
  const asked = queue.embed(['i', 'iii']);
  expect(await backend.endAll()).toEqual([
    ['bbbb', 'bbb'],
    ['i', 'iii'],
    ['bb', 'b'],
  ]);
  expect((await bulk).map(([length]) => length)).toEqual([1, 4, 2, 3]);
  await asked;
});

describe('sharing', () => {
  test('a text that several callers want is computed once', async () => {
    const backend = new HeldBackend();
    const queue = new TextQueue(backend);
    const calls = [queue.embed(['same', 'same']), queue.embed(['same']), queue.embed(['same'], { priority: 'bulk' })];
    expect(await backend.endAll()).toEqual([['same']]);
    expect((await Promise.all(calls)).map(({ length }) => length)).toEqual([2, 1, 1]);
  });

  test('an interactive call lifts a bulk text that it waits for', async () => {
    const backend = new HeldBackend({ texts: 1 });
    const queue = new TextQueue(backend);
    const bulk = queue.embed(['b1', 'b2', 'b3'], { priority: 'bulk' });
    const asked = queue.embed(['b3']);
    expect((await backend.endAll()).flat()).toEqual(['b1', 'b3', 'b2']);
    await Promise.all([bulk, asked]);
  });

  test('a vector of length 1 and one as the model gives it are different work', async () => {
    const backend = new HeldBackend();
    const queue = new TextQueue(backend);
    const calls = [queue.embed(['same']), queue.embed(['same'], { normalize: false })];
    expect(await backend.endAll()).toHaveLength(2);
    await Promise.all(calls);
  });
});

describe('cancelling', () => {
  test('texts that nobody waits for any more are not computed', async () => {
    const backend = new HeldBackend({ texts: 1 });
    const queue = new TextQueue(backend);
    const abandoned = new AbortController();
    const gone = queue.embed(['a', 'b', 'shared'], { signal: abandoned.signal });
    const stays = queue.embed(['shared']);
    abandoned.abort(new Error('cancelled'));
    await expect(gone).rejects.toThrow('cancelled');
    expect(backend.runs[0]?.signal.aborted).toBe(true);
    expect((await backend.endAll()).flat()).toEqual(['a', 'shared']);
    expect(await stays).toEqual([Float32Array.of(6)]);
    expect(queue.pending).toBe(0);
  });

  test('one caller leaving does not stop a run that another waits for', async () => {
    const backend = new HeldBackend();
    const queue = new TextQueue(backend);
    const abandoned = new AbortController();
    const gone = queue.embed(['same'], { signal: abandoned.signal });
    const stays = queue.embed(['same']);
    abandoned.abort();
    await expect(gone).rejects.toThrow();
    expect(backend.runs[0]?.signal.aborted).toBe(false);
    await backend.endAll();
    expect(await stays).toEqual([Float32Array.of(4)]);
  });

  test('a text asked for after its run was stopped is computed anew', async () => {
    const backend = new HeldBackend();
    const queue = new TextQueue(backend);
    const abandoned = new AbortController();
    const gone = queue.embed(['same'], { signal: abandoned.signal });
    abandoned.abort();
    const again = queue.embed(['same']);
    await expect(gone).rejects.toThrow();
    expect((await backend.endAll()).flat()).toEqual(['same', 'same']);
    expect(await again).toEqual([Float32Array.of(4)]);
  });
});

test('a failed run fails those who wait for it and nobody else', async () => {
  const backend = new HeldBackend({ texts: 1 });
  const queue = new TextQueue(backend);
  const failing = queue.embed(['a', 'c']);
  const other = queue.embed(['b']);
  backend.runs.shift()?.end(new Error('broken'));
  await expect(failing).rejects.toThrow('broken');
  expect((await backend.endAll()).flat()).toEqual(['b']);
  await other;
});

test('progress counts distinct texts up to all of them', async () => {
  const backend = new HeldBackend({ texts: 1 });
  const seen: [number, number][] = [];
  const vectors = new TextQueue(backend).embed(['a', 'b', 'a'], {
    onProgress: (done, total) => seen.push([done, total]),
  });
  await backend.endAll();
  await vectors;
  expect(seen).toEqual([
    [1, 2],
    [2, 2],
  ]);
});

test('a backend that answers with another size is refused', async () => {
  const backend = new HeldBackend();
  backend.embed = async (texts) => texts.map(() => ({ vector: new Float32Array(2), tokens: null, truncated: false }));
  await expect(new TextQueue(backend).embed(['a'])).rejects.toThrow('2 dimensions instead of 1');
});
