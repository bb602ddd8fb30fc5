import { expect, test } from 'vitest';
import { encodeFrame, type Frame, FrameReader } from '../src/python/frames.ts';
import { Output } from '../src/python/output.ts';

const read = (maxBytes: number, chunks: Iterable<Uint8Array>): Frame[] => {
  const frames: Frame[] = [];
  const reader = new FrameReader(maxBytes, (frame) => frames.push(frame));
  for (const chunk of chunks) reader.push(chunk);
  return frames;
};

test('frames arrive whole, however they are cut', () => {
  const sent = [
    ...encodeFrame({ id: 1 }, [new Uint8Array([1, 2, 3]), new Uint8Array(0)]),
    ...encodeFrame({ id: 2, text: 'ä' }),
    ...encodeFrame({ id: 3 }, [new Uint8Array(1000).fill(7)]),
  ];
  const bytes = Buffer.concat(sent);
  for (const size of [1, 3, 7, 64, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
      bytes.subarray(n * size, (n + 1) * size),
    );
    const frames = read(1_000, chunks);
    expect(frames.map(({ header }) => header.id)).toEqual([1, 2, 3]);
    expect(frames[0]?.buffers.map((buffer) => [...buffer])).toEqual([[1, 2, 3], []]);
    expect(frames[2]?.buffers[0]?.every((byte) => byte === 7)).toBe(true);
  }
});

test('a buffer has memory of its own that starts at its beginning', () => {
  const [frame] = read(100, encodeFrame({}, [new Uint8Array(8)]));
  expect(frame?.buffers[0]?.byteOffset).toBe(0);
  expect(frame?.buffers[0]?.buffer.byteLength).toBe(8);
});

test.each([
  ['a header that is too long', Buffer.from([0, 0, 0, 255])],
  ['a header that is no JSON', Buffer.from([1, 0, 0, 0, 123])],
  ['a buffer that is too long', Buffer.concat(encodeFrame({}, [new Uint8Array(101)]))],
  ['buffers that are too long together', Buffer.concat(encodeFrame({}, [new Uint8Array(60), new Uint8Array(60)]))],
])('%s is refused', (_, bytes) => {
  expect(() => read(100, [bytes])).toThrow();
});

test('output ends at its mark, however it is cut, and is kept up to its limit', async () => {
  for (const size of [1, 5, 100]) {
    let seen = 0;
    const output = new Output(8, (bytes) => {
      seen += bytes;
    });
    const complete = output.begin('mark');
    const bytes = Buffer.from('hällo, world\0mark\nlate');
    for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size));
    await complete;
    expect(output.text()).toEqual({ text: 'hällo, ', truncated: true });
    expect(seen).toBe(bytes.length);
  }
});

test('output without a mark is still there, and half a character is not', () => {
  const output = new Output(6, () => {});
  void output.begin('mark');
  output.push(Buffer.from('abc\0maä'));
  expect(output.text()).toEqual({ text: 'abc\0ma', truncated: true });
  const half = new Output(2, () => {});
  void half.begin('mark');
  half.push(Buffer.from('aä'));
  expect(half.text().text).toBe('a');
});
