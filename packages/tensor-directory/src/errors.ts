import { ToolError } from '@atoll-mcp/core';

export type Kind = 'tensor' | 'model';

const titled = (kind: Kind) => (kind === 'tensor' ? 'Tensor' : 'Model');

export const emptyTensor = (name: string) =>
  new ToolError('EMPTY_TENSOR', `tensor_data for '${name}' must be a non-empty list.`);

export const invalidTensor = (name: string, fault: Error) =>
  new ToolError('INVALID_TENSOR', `Invalid tensor data format for '${name}': ${fault.message}.`, { cause: fault });

export const invalidWeights = (name: string, problem: string, cause?: unknown) =>
  new ToolError('INVALID_WEIGHTS', `Invalid model_weights data format for '${name}': ${problem}.`, { cause });

export const invalidOnnx = (name: string, problem: string, cause?: unknown) =>
  new ToolError('INVALID_ONNX', `Invalid model_onnx for '${name}': ${problem}.`, { cause });

export const nothingToUpload = () =>
  new ToolError('NOTHING_TO_UPLOAD', 'Either model_weights or model_code must be provided.');

export const codeTooLong = (name: string, maxBytes: number) =>
  new ToolError('CODE_TOO_LONG', `model_code for '${name}' is longer than the allowed ${maxBytes} bytes.`);

export const blankName = (field: string) => new ToolError('BLANK_NAME', `${field} must be text that is not blank.`);

export const invalidUpdate = (problem: string) => new ToolError('INVALID_UPDATE', problem);

export const notDeleted = (kind: Kind, given: string, byUuid: boolean) =>
  byUuid
    ? new ToolError('NOT_FOUND', `${titled(kind)} UUID '${given}' not found or delete failed.`)
    : new ToolError('NOT_FOUND', `${titled(kind)} '${given}' not found by name.`);

export const notUpdated = (kind: Kind, given: string, byUuid: boolean) =>
  byUuid
    ? new ToolError('NOT_FOUND', `${titled(kind)} UUID '${given}' not found or update failed.`)
    : new ToolError('NOT_FOUND', `${titled(kind)} '${given}' not found by name for update.`);

export const notFound = (kind: Kind, given: string) =>
  new ToolError('NOT_FOUND', `${titled(kind)} '${given}' not found.`);

export const noSuchTensors = (pattern: string, more?: string) =>
  new ToolError('NOT_FOUND', `No tensors match '${pattern}'${more ? `: ${more}` : ''}.`, {
    suggestion: 'A name means itself and all below it, as in model for model.layer1; * stands for any text',
  });

export const tooManyTensors = (found: number, max: number) =>
  new ToolError('TOO_MANY', `${found} tensors match; at max ${max} are looked at in one call. Narrow the pattern.`);

export const damaged = (label: string, cause?: unknown) =>
  new ToolError(
    'DAMAGED',
    `The stored values of ${label} are damaged or missing. Delete it, or upload the same values again.`,
    { cause },
  );

export const storageNotFound = () => new ToolError('STORAGE_FAILED', 'Storage file not found.');

export const invalidSlice = (name: string, fault: Error) =>
  new ToolError('INVALID_SLICE', `Cannot slice tensor '${name}': ${fault.message}.`, { cause: fault });

export const notPlottable = (name: string, problem: string) =>
  new ToolError('NOT_PLOTTABLE', `Cannot plot tensor '${name}': ${problem}.`);

export const notSearchable = (name: string, problem: string) =>
  new ToolError('NOT_SEARCHABLE', `Cannot search the rows of tensor '${name}': ${problem}.`);

export const transformRefused = (name: string, problem: string, cause?: unknown) =>
  new ToolError('TRANSFORM_REFUSED', `Cannot transform tensor '${name}': ${problem}.`, { cause });

export const invalidDate = (field: string, given: string) =>
  new ToolError('INVALID_DATE', `${field} is '${given}'; give a date such as 2024-01-31 or 2024-01-31T12:00:00Z.`);

export const weightsOnly = (name: string) =>
  new ToolError(
    'WEIGHTS_ONLY',
    `Model '${name}' found, but it only has weights. Direct execution of weights-only models is not yet supported by this agent.`,
  );

export const inputNotFound = (given: string) =>
  new ToolError('INPUT_NOT_FOUND', `Error: Input tensor '${given}' not found for inference.`);

export const invalidInputs = (problem: string) => new ToolError('INVALID_INPUTS', `Error: ${problem}`);

/** JavaScript's words for whole numbers of 64 bits say nothing of tensors. */
const BIGINT_ADVICE =
  '. Values of int64 and uint64 are BigInt in JavaScript: use Number(value), or store the tensor as float64';

export const runFailed = (model: string, details: string) =>
  new ToolError(
    'RUN_FAILED',
    `Error during model execution for '${model}': ${details}${/\bbigint\b/i.test(details) ? BIGINT_ADVICE : ''}`,
  );

export const noSandbox = (model: string, reason: string, fix: string | undefined) =>
  new ToolError('NO_SANDBOX', `Error: Model '${model}' was not run: ${reason}.${fix ? ` To repair it: ${fix}` : ''}`, {
    suggestion: fix,
  });

export const importRefused = (path: string, problem: string, cause?: unknown) =>
  new ToolError('IMPORT_REFUSED', `Cannot import '${path}': ${problem}.`, { cause });

export const exportRefused = (name: string, problem: string, cause?: unknown) =>
  new ToolError('EXPORT_REFUSED', `Cannot export tensor '${name}': ${problem}.`, { cause });

export const promptNotRead = (problem: string, cause?: unknown) =>
  new ToolError('PROMPT_NOT_READ', `Error analyzing prompt: ${problem}`, { cause });

/** Bad arguments, every problem at once. */
export const invalidInput = (
  issues: readonly { path: PropertyKey[]; message: string }[],
  { tool }: { tool: string },
) => {
  const problems = issues.map(({ path, message }) =>
    path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message,
  );
  return new ToolError('INVALID_INPUT', `Invalid arguments for ${tool}: ${problems.join('; ')}.`);
};

const DOING: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ upload_tensor: 'uploading tensor', upload_model: 'uploading model' }),
);

/** An internal failure. Only messages of `StorageError` are passed on, because they are written for users. */
export const internal = (cause: unknown, { tool, args }: { tool: string; args: unknown }) => {
  const isStorage = cause instanceof Error && cause.name === 'StorageError';
  const name = (args as { name?: unknown } | null)?.name;
  const doing = DOING.get(tool) && typeof name === 'string' ? `${DOING.get(tool)} '${name}'` : `running ${tool}`;
  const isGone = isStorage && (cause as { code?: unknown }).code === 'not_found';
  const message = isGone ? storageNotFound().message : (cause as Error).message;
  const details = isStorage ? message : "The server's log has the details.";
  return new ToolError(
    isStorage ? 'STORAGE_FAILED' : 'INTERNAL',
    `An unexpected error occurred while ${doing}: ${details}`,
    { cause },
  );
};
