import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CodeRuntime } from '../../src/interface.ts';
import { createPythonRuntime } from '../../src/python/runtime.ts';
import { describeWays } from '../python-environment.ts';

const OBJECT = '{"toString":1,"valueOf":1,"length":{"valueOf":1}}';
const deep = (open: string, close: string) => `"'${open}' * 200_000 + '1' + '${close}' * 200_000"`;

/** JSON texts as Python expressions, so that large ones are made inside. `%s` stands for the number of the call. */
const ANSWERS: Readonly<Record<string, string>> = {
  'an object as a message': `'{"answer":%s,"kind":"exception","message":${OBJECT},"buffers":[]}'`,
  'an object as a traceback': `'{"answer":%s,"kind":"exception","message":"m","traceback":${OBJECT},"buffers":[]}'`,
  'an object as a kind': `'{"answer":%s,"kind":${OBJECT},"message":"m","buffers":[]}'`,
  'a prototype name as a kind': `'{"answer":%s,"kind":"constructor","message":"m","buffers":[]}'`,
  'an object as an answer number': `'{"answer":${OBJECT},"buffers":[]}'`,
  'an object as a dtype': `'{"answer":%s,"dtype":${OBJECT},"shape":[1],"bytes":8,"buffers":[]}'`,
  'an object in a shape': `'{"answer":%s,"dtype":"float64","shape":[${OBJECT}],"bytes":8,"buffers":[]}'`,
  'an object as a size': `'{"answer":%s,"dtype":"float64","shape":[1],"bytes":${OBJECT},"buffers":[]}'`,
  'an object as a buffer size': `'{"answer":%s,"buffers":[${OBJECT}]}'`,
  'an object as a file name': `'{"file":"a","name":${OBJECT},"buffers":[]}'`,
  'an object as a file id': `'{"file":${OBJECT},"name":"a","buffers":[]}'`,
  'a question without a name': `'{"file":"a","buffers":[]}'`,
  'a prototype that answers': `'{"__proto__":{"answer":%s},"buffers":[]}'`,
  'only prototype names': `'{"constructor":1,"__proto__":{"x":1},"toString":2,"buffers":[]}'`,
  NaN: `'{"answer":NaN,"buffers":[]}'`,
  'a number beyond all numbers': `'{"answer":1e999,"buffers":[]}'`,
  'a list nested 200,000 deep': `'{"answer":%s,"x":' + ${deep('[', ']').slice(1, -1)} + ',"buffers":[]}'`,
  'an object nested 200,000 deep': `'{"answer":%s,"x":' + ${deep('{"a":', '}').slice(1, -1)} + ',"buffers":[]}'`,
  'a message of 900 kB': `'{"answer":%s,"kind":"exception","message":"' + 'x' * 900_000 + '","buffers":[]}'`,
  'a file name of 900 kB': `'{"file":"a","name":"' + 'x' * 900_000 + '","buffers":[]}'`,
  '64 MB of one key': `'{"' + 'k' * (64 << 20) + '":1,"buffers":[]}'`,
  'a list for a message': `'[' + '1,' * 1000 + '1]'`,
};

/** Well-formed as far as the protocol is concerned: they are answered, and do no harm. */
const HARMLESS: Readonly<Record<string, string>> = {
  'lone surrogates in a message': `'{"answer":%s,"kind":"exception","message":"\\\\ud800 x","buffers":[]}'`,
  'a key twice': `'{"answer":7,"answer":%s,"buffers":[]}'`,
  'an unknown key named __proto__': `'{"answer":%s,"__proto__":{"kind":"exception"},"buffers":[]}'`,
};

const send = (text: string, call: number) => `
import os, struct, time
text = (${text.replaceAll('%s', String(call))}).encode()
data = memoryview(struct.pack('<I', len(text)) + text)
while data: data = data[os.write(3, data[:1 << 20]):]
time.sleep(30)`;

describeWays('hostile values from Python, bubblewrap', (bubblewrap) => {
  let runtime: CodeRuntime;
  beforeAll(() => {
    const files = { functionName: 'get_file', find: async (id: string) => ({ name: id.trim(), path: '/nowhere' }) };
    const created = createPythonRuntime({ bubblewrap, preload: [] });
    runtime = {
      ...created,
      language: 'python',
      probe: () => created.probe(),
      close: () => created.close(),
      open: () => created.open({ files, limits: { wallMs: 20_000 } }),
    };
  });
  afterAll(() => runtime.close());

  test.each(Object.entries(ANSWERS))('%s ends the session that sent it and nothing else', async (_, text) => {
    const [hostile, other] = [await runtime.open(), await runtime.open()];
    await other.run('x = 42');
    const result = await hostile.run(send(text, 1));
    expect(result).toMatchObject({ ok: false, statePreserved: false, failure: { kind: 'crashed' } });
    expect(result.failure?.message).toBe("The code's interpreter was ended because it broke the protocol");
    expect(hostile.ended).toBe('killed');
    expect(await other.run('print(x)')).toMatchObject({ ok: true, stdout: '42\n' });
    await other.close();
  });

  test.each(Object.entries(HARMLESS))('%s does no harm', async (_, text) => {
    const session = await runtime.open();
    const result = await session.run(send(text, 1));
    for (const words of [result.failure?.message ?? '', result.stdout, result.stderr])
      expect(Buffer.from(words).toString()).toBe(words);
    expect(result.failure?.kind ?? 'exception').toBe('exception');
    await session.close();
  });

  test('an exception with lone surrogates in its message is told', async () => {
    const session = await runtime.open();
    const { failure, statePreserved } = await session.run("raise ValueError('\\ud800 ' + '\\U0001F600' * 5000)");
    expect({ kind: failure?.kind, statePreserved }).toEqual({ kind: 'exception', statePreserved: true });
    expect(Buffer.from(failure!.message).toString()).toBe(failure!.message);
    await session.close();
  });

  test('an exception whose text is no text is told', async () => {
    const session = await runtime.open();
    const code = 'class Odd(Exception):\n  def __str__(self): return 5\nraise Odd()';
    expect(await session.run(code)).toMatchObject({ ok: false, failure: { kind: 'exception' }, statePreserved: true });
    await session.close();
  });
});
