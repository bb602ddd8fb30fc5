import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { plainJson } from '../src/config/plain-json.ts';

test.each([
  '{}',
  '[]',
  '{"a":1,"b":[{"c":"d: \\"e\\": 1"},{}],"c":{"":null,"__proto__":{"x":1}}}',
  ' {"a" : "x\\\\" , "b"\n:\t2.50, "c": 1e3, "<<": {"k": true}}\n',
  '"a: b"',
])('%s is read as YAML would read it', (text) => {
  expect(JSON.stringify(plainJson(text))).toBe(JSON.stringify(parse(text)));
});

test.each(['a: 1', '{"a": 1, "a": 2}', '{"b": [{"a": 1, "\\u0061": 2}]}', '{"a": .5}', "{'a': 1}", '{"a": 1,}', ''])(
  '%s is left to the YAML parser',
  (text) => {
    expect(plainJson(text)).toBeUndefined();
  },
);
