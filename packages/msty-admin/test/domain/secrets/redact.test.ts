import { describe, expect, test } from 'vitest';
import { redact, redactText } from '../../../src/domain/secrets/redact.ts';
import { isSecretName } from '../../../src/domain/secrets/secret-names.ts';

const HIDDEN = '[redacted]';

describe('names of secrets', () => {
  test.each([
    'apiKey',
    'api_key',
    'API-KEY',
    'apikey',
    'OPENAI_API_KEY',
    'x-api-key',
    'X-Api-Key',
    'token',
    'accessToken',
    'access_token',
    'refreshTokens',
    'GITHUB_TOKEN',
    'secret',
    'clientSecret',
    'AWS_SECRET_ACCESS_KEY',
    'password',
    'dbPassword',
    'passphrase',
    'credentials',
    'Authorization',
    'proxy-authorization',
    'privateKey',
    'bearerToken',
    'HF_TOKEN',
    'Cookie',
    'authtoken',
  ])('%s is one', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    'maxTokens',
    'max_tokens',
    'promptTokens',
    'completion_tokens',
    'totalTokens',
    'tokensPerSec',
    'tokenCount',
    'token_limit',
    'tokenizer',
    'key',
    'keyboard',
    'monkey',
    'primaryKey',
    'author',
    'authorName',
    'id',
    'secretary',
    'title',
  ])('%s is none', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

describe('redaction', () => {
  test('reaches any depth, and leaves numbers and plain values alone', () => {
    const settings = {
      a: [{ b: { apiKey: 'abc', maxTokens: 5, note: 'plain' } }],
      password: 12345,
      token: null,
      secret: '',
    };
    expect(redact(settings)).toEqual({
      a: [{ b: { apiKey: HIDDEN, maxTokens: 5, note: 'plain' } }],
      password: HIDDEN,
      token: null,
      secret: '',
    });
  });

  test('opens JSON that is stored as text, and JSON inside that', () => {
    const inner = JSON.stringify({ token: 'abc', name: 'n' });
    const row = {
      config: JSON.stringify({ env: { OPENAI_API_KEY: 'abc' }, extras: inner, twice: JSON.stringify(inner) }),
    };
    const config = JSON.parse(redact(row).config);
    expect(config.env.OPENAI_API_KEY).toBe(HIDDEN);
    expect(JSON.parse(config.extras)).toEqual({ token: HIDDEN, name: 'n' });
    expect(JSON.parse(JSON.parse(config.twice))).toEqual({ token: HIDDEN, name: 'n' });
  });

  test('keeps the spelling of JSON that holds no secret', () => {
    expect(redactText('{ "a":  1 }')).toBe('{ "a":  1 }');
  });

  test('takes whole objects under a secret name', () => {
    expect(redact({ credentials: { user: 'u', pass: 'p' } })).toEqual({ credentials: HIDDEN });
  });

  test('knows pairs of name and value, and options before their values', () => {
    expect(redact([{ name: 'Authorization', value: 'Basic abc' }])).toEqual([{ name: 'Authorization', value: HIDDEN }]);
    expect(redact({ args: ['--api-key', 'abc', '--port', '80'] })).toEqual({
      args: ['--api-key', HIDDEN, '--port', '80'],
    });
    expect(redact({ auth: { type: 'bearer', value: 'abc' } })).toEqual({ auth: { type: 'bearer', value: HIDDEN } });
    expect(redact({ auth: 'user:abc', mode: { type: 'text', value: 'plain' } })).toEqual({
      auth: HIDDEN,
      mode: { type: 'text', value: 'plain' },
    });
    expect(redact(['--token', '--verbose'])).toEqual(['--token', '--verbose']);
  });

  test.each([
    ['my key is sk-abcdefgh12345678 ok', 'sk-abcdefgh12345678'],
    ['sk-ant-api03-AbCdEf_123-xyz', 'AbCdEf_123'],
    ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'ghp_abc'],
    ['Authorization: Bearer abcdef123456', 'abcdef123456'],
    ['{"headers": "Authorization: Bearer abcdefghijkl"}', 'abcdefghijkl'],
    ['curl -H "x-api-key: abcdef123456"', 'abcdef123456'],
    ['postgres://user:hunter2@localhost/db', 'hunter2'],
    ['http://h/?api_key=hunter2abc&x=1', 'hunter2abc'],
    ['export OPENAI_API_KEY=hunter2abc', 'hunter2abc'],
    ['run --api-key=hunter2abc now', 'hunter2abc'],
    ['see {"apiKey": "hunter2abc"} here', 'hunter2abc'],
    ['escaped {\\"apiKey\\":\\"hunter2abc\\"} here', 'hunter2abc'],
    ['AKIAABCDEFGHIJKLMNOP', 'AKIAABCDEFGHIJKLMNOP'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijk', 'eyJzdWIi'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', 'MIIabc'],
  ])('hides the secret in running text: %s', (text, secret) => {
    expect(redactText(text)).not.toContain(secret);
    expect(redactText(text)).toContain(HIDDEN);
  });

  test.each([
    'the task-list is done',
    'a risk-free desk-job',
    'password: see the manual',
    'maxTokens: 4096',
    'Use the key of C major; the secret of good soup',
    'token ring networks',
    'Basic training for bearer certificates',
  ])('leaves ordinary prose alone: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test.each(['a-', 'a.', 'A_', '"a', 'sk-', 'eyJ.', '://:', 'http://a:', '-----BEGIN '])(
    'is quick on a long run of %s',
    (run) => {
      const text = run.repeat(200_000);
      expect(redactText(text).length).toBeGreaterThan(0);
    },
  );

  test('ends on data that nests without end', () => {
    let deep: unknown = { apiKey: 'abc' };
    for (let depth = 0; depth < 5000; depth++) deep = [deep];
    expect(JSON.stringify(redact(deep))).not.toContain('abc');
  });
});
