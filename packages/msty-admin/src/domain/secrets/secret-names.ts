const SECRET_WORDS = new Set([
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'secret',
  'secrets',
  'credential',
  'credentials',
  'authorization',
  'apikey',
  'apikeys',
  'bearer',
  'cookie',
  'cookies',
  'jwt',
]);

/** `key` alone is an ordinary word; after one of these it is a secret. */
const KEY_KINDS = new Set([
  'api',
  'access',
  'private',
  'secret',
  'signing',
  'encryption',
  'license',
  'licence',
  'auth',
  'client',
  'service',
  'master',
  'subscription',
]);

/** `tokens` counts something unless one of these stands before it. */
const TOKEN_KINDS = new Set(['access', 'refresh', 'auth', 'bearer', 'api', 'session', 'id', 'oauth', 'csrf']);

/** With one of these in the name, a token is a unit of text. */
const TOKEN_MEASURES = new Set([
  'count',
  'counts',
  'limit',
  'limits',
  'max',
  'min',
  'per',
  'usage',
  'used',
  'total',
  'budget',
  'size',
  'length',
  'rate',
  'cost',
  'price',
  'num',
  'number',
  'estimate',
  'sec',
  'second',
  'window',
  'type',
  'first',
  'time',
]);

/** Whether a field of this name holds a secret: apiKey, OPENAI_API_KEY, x-api-key, token, but not maxTokens. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word, index) => {
    const before = words[index - 1] ?? '';
    if (SECRET_WORDS.has(word)) return true;
    if (word === 'key' || word === 'keys') return KEY_KINDS.has(before);
    if (word === 'token') return !words.some((other) => TOKEN_MEASURES.has(other));
    if (word === 'tokens') return TOKEN_KINDS.has(before);
    return false;
  });
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .flatMap(splitRunTogether)
    .filter(Boolean);
}

/** `accesstoken` and `OPENAIKEY` have no seam to split at; these endings are unmistakable. */
function splitRunTogether(word: string): string[] {
  const match = /^(.*(?:access|auth|refresh|bearer|session|bot|api|user))(token|key)$/.exec(word);
  return match?.[1] && match[2] ? [match[1].endsWith('api') ? 'api' : match[1], match[2]] : [word];
}
