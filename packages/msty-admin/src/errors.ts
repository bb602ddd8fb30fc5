import { ToolError } from '@atoll-mcp/core';

/** Every code that the original document has. */
export const ERROR_CODES = [
  'DATABASE_NOT_FOUND',
  'DATABASE_CONNECTION_ERROR',
  'QUERY_ERROR',
  'INVALID_TABLE',
  'SERVICE_UNAVAILABLE',
  'API_ERROR',
  'TIMEOUT_ERROR',
  'INVALID_PARAMETER',
  'MISSING_PARAMETER',
  'VALIDATION_ERROR',
  'FILE_NOT_FOUND',
  'PERMISSION_ERROR',
  'IO_ERROR',
  'MODEL_NOT_FOUND',
  'MODEL_ERROR',
] as const;

type ErrorCode = (typeof ERROR_CODES)[number];

const fail = (
  code: ErrorCode,
  message: string,
  suggestion: string,
  cause?: unknown,
  details?: Readonly<Record<string, unknown>>,
) => new ToolError(code, message, { suggestion, cause, details });

export const databaseNotFound = (place?: string) =>
  fail(
    'DATABASE_NOT_FOUND',
    place ? `Msty database not found at ${place}` : 'Msty database not found at expected location',
    'Run detect_msty_installation first to verify paths',
  );

export const notMstyDatabase = (place: string, schema: string) =>
  fail(
    'DATABASE_NOT_FOUND',
    schema === 'chromium_shared_storage'
      ? `${place} is Chromium's own storage file and holds no Msty data`
      : `${place} is a SQLite database, but holds none of Msty's tables`,
    'Point MSTY_DATABASE_PATH at the workspace database, or unset it; scan_database_locations shows the candidates',
  );

export const databaseUnreadable = (place: string, cause?: unknown) =>
  fail(
    'DATABASE_CONNECTION_ERROR',
    `The database at ${place} cannot be read: it is damaged or not a SQLite file`,
    'Open Msty Studio to let it repair its data, or restore a backup; scan_database_locations shows other candidates',
    cause,
    { isDamaged: true },
  );

export const databaseForbidden = (place: string, cause?: unknown) =>
  fail(
    'DATABASE_CONNECTION_ERROR',
    `The database at ${place} may not be opened by this user`,
    'Start this server as the user that runs Msty Studio, and allow it to read the file',
    cause,
  );

export const databaseBusy = (place: string, cause?: unknown) =>
  fail(
    'DATABASE_CONNECTION_ERROR',
    `The database at ${place} kept changing while it was read`,
    'Try again in a moment, when Msty Studio is less busy',
    cause,
  );

export const queryFailed = (what: string, cause?: unknown) =>
  fail(
    'QUERY_ERROR',
    `The database could not answer: ${what}`,
    'Use read_msty_database with query_type "tables" to see what is there',
    cause,
  );

export const tableAbsent = (table: string) =>
  fail(
    'QUERY_ERROR',
    `This database has no table for "${table}"`,
    'Use read_msty_database with query_type "tables" to see what is there',
  );

export const tableNotAllowed = (allowed: readonly string[]) =>
  fail('INVALID_TABLE', 'Table name is not in the allow-list', `Use one of: ${allowed.join(', ')}`);

export const noServices = () =>
  fail(
    'SERVICE_UNAVAILABLE',
    'No local AI service is running',
    'Open Msty Studio and start a local service, then run get_sidecar_status',
  );

export const serviceDown = (service: string, port: number, cause?: unknown) =>
  fail(
    'SERVICE_UNAVAILABLE',
    `The service ${service} is not running on port ${port}`,
    'Start it in Msty Studio, then run get_sidecar_status',
    cause,
  );

export const nexusUnavailable = (port: number) =>
  fail(
    'SERVICE_UNAVAILABLE',
    `On port ${port}, the usual port of Msty Nexus, Ollama answers`,
    'Start Msty Nexus, and set MSTY_NEXUS_PORT to its port',
  );

/** A problem that was found when the service was queried. */
export const serviceProblem = (problem: { code: string; message: string; suggestion: string | undefined }) =>
  new ToolError(problem.code, problem.message, { suggestion: problem.suggestion });

export const serviceTimedOut = (service: string, timeoutMs: number) =>
  fail(
    'TIMEOUT_ERROR',
    `The service ${service} did not answer within ${timeoutMs / 1000} s`,
    'Wait for a cold model to load and try again, use a smaller model, or raise MSTY_TIMEOUT (seconds)',
  );

export const serviceRefused = (service: string, status: number) =>
  fail(
    'API_ERROR',
    `The service ${service} answered with HTTP status ${status}`,
    'Check the log of the service in Msty Studio, then try again',
  );

export const serviceGarbled = (service: string, what: string, cause?: unknown) =>
  fail(
    'API_ERROR',
    `The service ${service} ${what}`,
    'Check that the port belongs to a model service (get_sidecar_status), then try again',
    cause,
  );

export const cancelled = () =>
  fail('API_ERROR', 'The call was cancelled and the request stopped', 'Call again when ready');

export const modelNotFound = (model: string) =>
  fail('MODEL_NOT_FOUND', `No running service offers the model "${model}"`, 'Use list_available_models for the ids');

export const noFittingModel = (maxSizeGb: number, unknownSizes: number) =>
  fail(
    'MODEL_NOT_FOUND',
    `No available chat model is known to need at most ${maxSizeGb} GB${unknownSizes > 0 ? `; the size of ${unknownSizes} is unknown` : ''}`,
    'Raise max_size_gb or leave it out; estimate_model_requirements shows what a model needs',
  );

export const noChatModel = () =>
  fail(
    'MODEL_NOT_FOUND',
    'The running services offer no model that can chat',
    'Download or load a chat model in Msty Studio; embedding models cannot chat',
  );

export const embeddingCannotChat = (model: string) =>
  fail(
    'INVALID_PARAMETER',
    `"${model}" is an embedding model and cannot chat`,
    'Choose another with find_model_by_tag, for example tag "general"',
  );

export const emptyCompletion = (model: string) =>
  fail('MODEL_ERROR', `The model "${model}" answered with nothing`, 'Try again, or try another model');

export const truncatedCompletion = (model: string, maxTokens: number) =>
  fail(
    'MODEL_ERROR',
    `The answer of "${model}" was cut off after ${maxTokens} tokens`,
    'Raise max_tokens or ask for a shorter answer',
  );

export const promptTooLong = (model: string, prompt: number | null, context: number | null) =>
  fail(
    'MODEL_ERROR',
    `The message${prompt === null ? '' : ` of ${prompt} tokens`} does not fit into the context of "${model}"${context === null ? '' : `, which holds ${context}`}`,
    'Shorten the message, or start the service with a larger context',
  );

export const allModelsFailed = (count: number) =>
  fail(
    'MODEL_ERROR',
    `All ${count} models or runs failed`,
    'Run get_sidecar_status, then try a single model with chat_with_local_model',
  );

export const noManagedService = (service = 'that lets its models be managed') =>
  fail(
    'SERVICE_UNAVAILABLE',
    `No service ${service} is running`,
    'Start Ollama, LM Studio (0.4 or later) or llama-swap, then run get_sidecar_status',
  );

export const notSupported = (service: string, what: string) =>
  fail(
    'INVALID_PARAMETER',
    `The service ${service} does not support ${what} through its API`,
    'Change it in the settings of the service itself, or name another service',
  );

export const notLoaded = (model: string) =>
  fail('MODEL_ERROR', `The model "${model}" is not loaded`, 'Use list_loaded_models to see what is in memory');

export const modelStillLoaded = (model: string) =>
  fail('MODEL_ERROR', `The model "${model}" is still in memory`, 'It may be answering; try again when it is idle');

export const modelTooLarge = (plan: {
  readonly modelId: string;
  readonly neededGb: number | null;
  readonly availableGb: number;
  readonly unloadFirst: readonly { readonly modelId: string }[];
}) =>
  fail(
    'MODEL_ERROR',
    `The model "${plan.modelId}" needs about ${plan.neededGb} GB and ${plan.availableGb} GB are available`,
    plan.unloadFirst.length > 0
      ? `Unload first: ${plan.unloadFirst.map(({ modelId }) => modelId).join(', ')}`
      : 'Choose a smaller model or a stronger quantisation',
  );

export const wouldEvict = (model: string, evicted: readonly string[]) =>
  fail(
    'INVALID_PARAMETER',
    `Loading "${model}" would evict: ${evicted.join(', ')}`,
    'Set allow_eviction to true if that is wanted; plan_model_load shows the whole plan',
  );

export const pullFailed = (service: string, model: string) =>
  fail(
    'API_ERROR',
    `The service ${service} did not complete the download of "${model}"`,
    'Check the connection to the internet and the free disk space, then try again',
  );

export const notConfirmed = (model: string) =>
  fail('PERMISSION_ERROR', `The user did not confirm; "${model}" was not deleted`, 'Leave it, or ask the user why');

export const confirmationUnavailable = (model: string) =>
  fail(
    'PERMISSION_ERROR',
    `This client cannot ask its user, so the model "${model}" was not deleted`,
    'Use a client that supports elicitation, or delete the model in the service itself',
  );

export const invalidParameter = (message: string, suggestion: string) => fail('INVALID_PARAMETER', message, suggestion);

export const missingParameter = (message: string, suggestion: string) => fail('MISSING_PARAMETER', message, suggestion);

export const invalidContent = (message: string, suggestion: string, cause?: unknown) =>
  fail('VALIDATION_ERROR', message, suggestion, cause);

export const fileNotFound = (place: string) =>
  fail('FILE_NOT_FOUND', `There is no file at ${place}`, 'Check the path; ~ and $HOME are understood');

export const fileForbidden = (place: string, why: string) =>
  fail('PERMISSION_ERROR', `${place}: ${why}`, 'Choose another path, for example in your documents folder');

export const fileFailed = (place: string, why: string, cause?: unknown) =>
  fail('IO_ERROR', `${place}: ${why}`, 'Check the path, the free space and the permissions, then try again', cause);

/** An argument that core rejected: missing or invalid. */
export function invalidInput(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
  { tool, args }: { readonly tool: string; readonly args: unknown },
): ToolError {
  const missing = issues.filter(({ path }) => path.length > 0 && isAbsent(args, path));
  const suggestion = `See the description of ${tool} for its parameters`;
  if (missing.length > 0) {
    const names = missing.map(({ path }) => path.map(String).join('.'));
    return missingParameter(`Required parameter missing: ${[...new Set(names)].join(', ')}`, suggestion);
  }
  const problems = issues.map(({ path, message }) => `${path.map(String).join('.') || 'arguments'}: ${message}`);
  return invalidParameter(problems.slice(0, 5).join('; '), suggestion);
}

/** Our own data folder, or a bug of ours; its message is only logged. */
export function crashed(cause: unknown): ToolError {
  const { name, code } = (cause ?? {}) as { name?: unknown; code?: unknown };
  if (name !== 'StorageError') {
    return fail('IO_ERROR', 'The server failed in an unexpected way', 'Look at the log of this server, then try again');
  }
  const suggestion = 'Check the free space and the permissions of the folder that --data-dir names';
  if (code === 'denied') return fail('PERMISSION_ERROR', "This server's own data folder may not be used", suggestion);
  return fail('IO_ERROR', `This server's own data could not be stored or read (${String(code)})`, suggestion);
}

function isAbsent(args: unknown, path: readonly PropertyKey[]): boolean {
  let value = args;
  for (const key of path) {
    if (value === null || typeof value !== 'object') return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value === undefined;
}
