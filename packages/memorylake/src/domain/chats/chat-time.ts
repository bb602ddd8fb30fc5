/** When a turn was written. `label` is for people and is searched with the text; `iso` is unambiguous where the file is. */
export interface ChatTime {
  readonly iso: string;
  readonly label: string;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const ISO = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;
/** Seconds since 1970 stay below this until the year 5138; milliseconds are above it since 1973. */
const MAX_SECONDS = 1e11;

/** Reads a time as exports write it: seconds or milliseconds since 1970, ISO 8601, or words, which stay as they are. */
export function chatTime(value: unknown): ChatTime | undefined {
  if (typeof value === 'number') return sinceEpoch(value);
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const text = value.trim();
  // Slack writes seconds as text.
  if (/^\d{9,13}(?:\.\d+)?$/.test(text)) return sinceEpoch(Number(text));
  const parts = ISO.exec(text);
  const month = MONTHS[Number(parts?.[2]) - 1];
  if (!parts || !month) return { iso: text, label: text };
  const [, year, , day, hours, minutes, zone = ''] = parts;
  const date = `${Number(day)} ${month} ${year}`;
  if (hours === undefined) return { iso: text, label: date };
  const where = /^(?:z|utc)$/i.test(zone) ? ' UTC' : zone && ` ${zone}`;
  return { iso: text, label: `${date}, ${hours}:${minutes}${where}` };
}

function sinceEpoch(value: number): ChatTime | undefined {
  const date = new Date(value < MAX_SECONDS ? value * 1000 : value);
  if (value <= 0 || Number.isNaN(date.getTime())) return undefined;
  return chatTime(date.toISOString().replace('.000Z', 'Z'));
}

/** Who says something and when, as it stands before their words. */
export function spokenBy({ speaker = '', time }: { readonly speaker?: string; readonly time?: string }): string {
  const at = chatTime(time);
  return `${speaker}${at ? ` (${at.label})` : ''}: `;
}
