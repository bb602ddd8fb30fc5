/** Values that are keys by their look, whatever field they stand in. */
const KEY_SHAPES: readonly RegExp[] = [
  /\bsk-[A-Za-z0-9_-]{6,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_[A-Za-z0-9]{8,}/g,
  /\b(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{16,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bhf_[A-Za-z0-9]{16,}/g,
  /\b(?:gsk|r8|fw|tvly|nvapi|pplx|xai|csk|lsv2)[_-][A-Za-z0-9_-]{16,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** A secret beside its name in running text. The part before the value is kept. Repeats are bounded: texts may be long and hostile. */
const NAMED_SECRETS: readonly RegExp[] = [
  /(authorization\\?["']?\s*[:=]\s*\\?["']?(?:bearer|basic)\s+)[^\s"',;}\\]+/gi,
  // "Basic training" is not a secret; text with a digit or padding may be one.
  /(\b(?:bearer|basic)\s+)(?=[^\s]{0,200}[\d=])[A-Za-z0-9._~+/-]{8,}=*/gi,
  /(\\?["'](?:[\w-]{0,60}(?:api[_-]?key|secret|password|passwd|credentials?|authorization)|(?:[\w-]{0,60}[_-])?token|[a-z]{1,60}Token)\\?["']\s*:\s*\\?["'])[^"'\\]+/gi,
  /(\b[A-Z0-9_]{0,60}(?:API_KEY|APIKEY|SECRET|SECRET_KEY|ACCESS_KEY|PASSWORD|AUTH_TOKEN|ACCESS_TOKEN|_TOKEN)\s*=\s*["']?)[^\s"'&;]+/g,
  /(--(?:api-?key|token|auth-token|access-token|password|secret)[= ])[^\s"']+/gi,
  /([?&](?:api[_-]?key|key|token|access_token|auth|secret|password)=)[^&\s"'#]+/gi,
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{0,200}:)[^\s/@"']{1,200}(?=@)/gi,
  /((?:^|[\s,;{"'])(?:x-api-key|api[_-]?key|authorization)\s*[:=]\s*)(?!bearer\s|basic\s)[^\s,;"'}]{6,}/gi,
];

/** Running text with anything that looks like a key, or stands beside a secret's name, replaced by `mask`. */
export function maskSecretText(text: string, mask: string): string {
  let clean = text;
  for (const shape of KEY_SHAPES) clean = clean.replace(shape, mask);
  for (const named of NAMED_SECRETS) clean = clean.replace(named, (_match, lead: string) => `${lead}${mask}`);
  return clean;
}
