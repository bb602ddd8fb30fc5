import { language, t } from './texts.ts';

export interface Finding {
  readonly what: string;
  readonly is_fine: boolean;
  readonly detail?: string;
  readonly repair?: string;
}

export interface Examination {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Settings by what they are about; the rest are under "Other". */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  [
    t('Endpoint'),
    /^(http|host|port|publicUrl|allowedHosts|allowedOrigins|tls|dashboard|admin|toolNames|mode|builtin)/i,
  ],
  [t('Limits'), /(max|limit|timeout|perMinute|ttl|seconds|bytes|idle)/i],
  [t('Recording and logs'), /^(activity|audit|log|learn)/i],
  [t('Safety'), /^(pinning|confirm|inheritEnv|auth)/i],
];

/** Settings of which 0 means that there is no limit. */
const NO_LIMIT: ReadonlySet<string> = new Set(['callsPerMinute']);

export function groupSettings(settings: Readonly<Record<string, unknown>>) {
  const groups = new Map<string, [string, unknown][]>();
  for (const entry of Object.entries(settings)) {
    const [title = t('Other')] = GROUPS.find(([, pattern]) => pattern.test(entry[0])) ?? [];
    groups.set(title, [...(groups.get(title) ?? []), entry]);
  }
  const order = [...GROUPS.map(([title]) => title), t('Other')];
  return order.flatMap((title) => (groups.has(title) ? [{ title, entries: groups.get(title)! }] : []));
}

export function settingText(value: unknown, name = ''): string {
  if (value === 0 && NO_LIMIT.has(name)) return t('no limit');
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ') || t('none');
  if (value === undefined || value === null) return t('not set');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (typeof value === 'number') return value.toLocaleString(language, { useGrouping: value >= 10_000 });
  return typeof value === 'string' ? value : JSON.stringify(value);
}
