export type {
  ChangeEvent,
  Era,
  HealthReport,
  Limits,
  McpApp,
  Outcome,
  OwnName,
  Principal,
  RequestContext,
  SessionHandle,
} from './app.ts';
export { type AppViewOptions, appView } from './app-view.ts';
export { type CallOptions, callTool, envelopeOf } from './call-tool.ts';
export { type Confirmation, ConfirmationRequired, InputRequired } from './confirmation.ts';
export { type Content, failureCode, type PromptMessage, type ResourceContents, type ToolResult } from './content.ts';
export {
  type CallContext,
  type ClientIdentity,
  type Contract,
  type ListedResource,
  type ProgressReport,
  type Prompt,
  type Resource,
  type Tool,
  type ToolContext,
  type ToolHints,
  toolsFor,
} from './contract.ts';
export { type Envelope, plain, type ToolCall } from './envelope.ts';
export { ToolError, type ToolErrorOptions } from './errors.ts';
export { isObject, type Json } from './json.ts';
export { inputSchemaOf, type JsonSchema, outputSchemaOf, toJsonSchema } from './json-schema.ts';
export { type Logger, type LogLevel, silentLogger } from './log.ts';
export { assertSafeJson, isTooDeep, MAX_DEPTH, parseJson, tryParseJson, UnsafeJsonError } from './parse-json.ts';
export {
  HEADER_MISMATCH,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  invalidParams,
  METHOD_NOT_FOUND,
  MISSING_CAPABILITY,
  methodNotFound,
  PARSE_ERROR,
  ProtocolFault,
  REFUSED,
  RESOURCE_NOT_FOUND,
  SESSION_NOT_FOUND,
  UNSUPPORTED_VERSION,
} from './protocol-fault.ts';
export { parsedResult, RawResult } from './raw-result.ts';
export { Semaphore } from './semaphore.ts';
export { indexByName, safeToolName, type ToolNames } from './tool-names.ts';
export { unchecked } from './unchecked.ts';
export { withDeadline } from './with-deadline.ts';
