export const SECRET_NAME =
  /^(authorization|cookie|.*(password|passwd|passphrase|secret|credential|private[_-]?key|api[_-]?key|access[_-]?key|auth[_-]?token|bearer).*|.*[_-]token|token)$/i;

export const REDACTED = '[redacted]';
const MAX_DEPTH = 12;

/** A copy in which the values of fields that are named like secrets are replaced. */
export function redact(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (depth > MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      SECRET_NAME.test(name) && item !== null && typeof item !== 'object' && typeof item !== 'boolean'
        ? REDACTED
        : redact(item, depth + 1),
    ]),
  );
}
