import { REDACTED } from '../access/redact.ts';
import { redactArgs, redactText, redactValues, restoreArgs, restoreText } from '../access/redact-settings.ts';
import { type NameFilter, passes } from '../catalog/naming.ts';
import type { UpstreamConfig } from '../config.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import { secretNotKept } from './errors.ts';
import type { EditableServer } from './schemas.ts';

/** How an external server is started or reached, without secrets: any value that is not a variable, and what is named or looks like one. */
export function shownSettings(settings: UpstreamConfig): EditableServer {
  const { command, args, env, cwd, url, headers, openapi, baseUrl, auth, prefix } = settings;
  return {
    ...(command !== undefined && { command, args: redactArgs(args), env: redactValues(env) }),
    ...(cwd !== undefined && { cwd }),
    ...(url !== undefined && { url: redactText(url), headers: redactValues(headers) }),
    ...(openapi !== undefined && { openapi: redactText(openapi), auth: redactValues(auth) }),
    ...(baseUrl !== undefined && { baseUrl: redactText(baseUrl) }),
    ...(prefix !== undefined && { prefix }),
  };
}

/** The edited settings, with redacted values taken from what is there. One that cannot be told is refused, never written. */
export function restoreRedacted(edited: EditableServer, present: UpstreamConfig | undefined): EditableServer {
  const map = (field: 'env' | 'headers' | 'auth') => {
    const known = new Map(Object.entries(present?.[field] ?? {}));
    const values = Object.entries(edited[field] ?? {}).map(([name, value]) => [
      name,
      value === REDACTED ? kept(known.get(name), `${field}.${name}`) : value,
    ]);
    return edited[field] && { [field]: Object.fromEntries(values) };
  };
  const text = (field: 'url' | 'openapi' | 'baseUrl') =>
    edited[field] !== undefined && { [field]: kept(restoreText(edited[field], present?.[field]), field) };
  return {
    ...edited,
    ...map('env'),
    ...map('headers'),
    ...map('auth'),
    ...text('url'),
    ...text('openapi'),
    ...text('baseUrl'),
    ...(edited.args && { args: kept(restoreArgs(edited.args, present?.args ?? []), 'args') }),
  };
}

function kept<Value>(value: Value | undefined, field: string): Value {
  if (value === undefined) throw secretNotKept(field);
  return value;
}

/** Its tools by their own names, whether each is meant to be listed, and whether its definition waits for an approval. */
export function toolSwitches({ lists, pin }: UpstreamSupervisor, filter: NameFilter) {
  return lists.tools.flatMap(({ name, title, description }) =>
    typeof name === 'string'
      ? [
          {
            name,
            ...(typeof title === 'string' && { title }),
            ...(typeof description === 'string' && { description: description.slice(0, 200) }),
            listed: passes(name, filter),
            ...(pin?.isHeldBack(name) && { held_back: true }),
          },
        ]
      : [],
  );
}
