import { INVALID_REQUEST, ProtocolFault, ToolError } from '@atoll-mcp/core';

export const notPermitted = (isAuthenticated: boolean) =>
  new ProtocolFault(
    INVALID_REQUEST,
    isAuthenticated
      ? 'This token may not administer Atoll; set "admin": true in its entry under "tokens"'
      : 'Administration is off here: it needs HTTP, and the setting "admin" must not be false',
    { atoll: { reason: 'not-permitted' } },
  );

export const callGone = (id: number) =>
  new ToolError('CALL_GONE', `Call ${id} is not kept any more; "activity" in the configuration sets how many are kept`);

export const noConfigFile = () =>
  new ToolError('NO_CONFIG_FILE', 'This Atoll was not started from a configuration file, so there is nothing to edit');

export const configChanged = () =>
  new ToolError(
    'CONFIG_CHANGED',
    'The configuration was changed by someone else since you opened it. Nothing was written; reload it and repeat your change',
  );

export const configRejected = (problems: readonly string[]) =>
  new ToolError(
    'CONFIG_REJECTED',
    `The configuration would not be valid, so nothing was changed: ${problems.join('; ')}`,
  );

export const secretNotKept = (field: string) =>
  configRejected([
    `${field} has "[redacted]" where it cannot be told which secret is meant; write the secret again, or a variable such as \${NAME}`,
  ]);

export const unknownViews = (names: readonly string[], known: readonly string[]) =>
  configRejected([
    `there is no view ${names.map((name) => `"${name}"`).join(', ')}; the views are ${known.join(', ') || 'none'}`,
  ]);

export const unknownServer = (key: string, known: readonly string[]) =>
  new ToolError('UNKNOWN_SERVER', `Unknown server "${key}"; the configured servers are ${known.join(', ') || 'none'}`);

export const serverExists = (key: string) =>
  new ToolError('SERVER_EXISTS', `There is already a server "${key}"; choose another name, or edit that one`);

export const serverOff = (key: string) =>
  new ToolError('SERVER_OFF', `The server "${key}" is switched off; switch it on instead of restarting it`);

export const restartFailed = (key: string, why: string) =>
  new ToolError('RESTART_FAILED', `The server "${key}" did not start: ${why}. It is tried again automatically`);

export const builtinStays = (key: string) =>
  new ToolError(
    'BUILTIN_SERVER',
    `"${key}" is a built-in server: it can be switched off, but not removed, pinned or given a command`,
  );

export const hiddenByPattern = (tool: string) =>
  new ToolError(
    'HIDDEN_BY_PATTERN',
    `"${tool}" is hidden by a pattern under "deny"; change the pattern in the configuration`,
  );

export const notComparable = (key: string, why: string) =>
  new ToolError('NOT_COMPARABLE', `The definitions of "${key}" cannot be approved: ${why}. Nothing was changed`);

export const definitionsChanged = (key: string) =>
  new ToolError(
    'DEFINITIONS_CHANGED',
    `The definitions of "${key}" changed since you looked at them. Nothing was approved; review them again`,
  );

export const unknownClient = (name: string) =>
  new ToolError('UNKNOWN_CLIENT', `Unknown client "${name}"; atoll_admin_clients lists those that Atoll can configure`);

export const notImportable = (name: string) =>
  new ToolError('NOT_IMPORTABLE', `No client has a server "${name}" that can be taken over; nothing was changed`);

export const clientNotWritten = (path: string, why: string) =>
  new ToolError('CLIENT_NOT_WRITTEN', `${path} was left unchanged: ${why}`);

export const tokenExists = (name: string) =>
  new ToolError('TOKEN_EXISTS', `There is already a token for "${name}"; choose another name`);

export const unknownComponent = (what: string, known: readonly string[]) =>
  new ToolError('UNKNOWN_COMPONENT', `"${what}" cannot be installed; choose one of ${known.join(', ')}`);

export const installFailed = (what: string, why: string, remedy?: string) =>
  new ToolError('INSTALL_FAILED', [`${what} was not installed: ${why}`, remedy].filter(Boolean).join('. '));

export const modelNotUsed = (why: string, remedy: string) => new ToolError('MODEL_NOT_INSTALLED', `${why}. ${remedy}`);
