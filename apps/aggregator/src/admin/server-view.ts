import { REDACTED } from '../access/redact.ts';
import { type NameFilter, passes } from '../catalog/naming.ts';
import type { UpstreamConfig } from '../config.ts';
import type { UpstreamSupervisor } from '../upstreams/upstream-supervisor.ts';
import type { EditableServer } from './schemas.ts';

/** How an external server is started or reached. Values that are not variables may be secrets and are redacted. */
export function shownSettings(settings: UpstreamConfig): EditableServer {
  const { command, args, env, cwd, url, headers, openapi, baseUrl, auth, prefix } = settings;
  return {
    ...(command !== undefined && { command, args, env: redactValues(env) }),
    ...(cwd !== undefined && { cwd }),
    ...(url !== undefined && { url, headers: redactValues(headers) }),
    ...(openapi !== undefined && { openapi, auth: redactValues(auth) }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(prefix !== undefined && { prefix }),
  };
}

/** The edited settings, with redacted values taken from what is there. */
export function restoreRedacted(edited: EditableServer, present: UpstreamConfig | undefined): EditableServer {
  const restore = (values: EditableServer['env'], known: Readonly<Record<string, string>> = {}) =>
    values &&
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === REDACTED ? (known[name] ?? value) : value]),
    );
  const { env, headers, auth, ...rest } = edited;
  return {
    ...rest,
    ...(env && { env: restore(env, present?.env) }),
    ...(headers && { headers: restore(headers, present?.headers) }),
    ...(auth && { auth: restore(auth, present?.auth) }),
  };
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

function redactValues(values: Readonly<Record<string, string>>): Record<string, string> {
  const isVariable = (value: string) => /^\$\{[^}]+\}$/.test(value.replace(/^Bearer /i, ''));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === '' || isVariable(value) ? value : REDACTED]),
  );
}
