export {
  type ChangeEvent,
  type Era,
  type HealthReport,
  invalidParams,
  type Json,
  type McpApp,
  methodNotFound,
  type Outcome,
  type Principal,
  ProtocolFault,
  type RequestContext,
  type SessionHandle,
} from './app.ts';
export { type AppViewOptions, appView } from './app-view.ts';
export { callTool } from './call-tool.ts';
export {
  type CommonConfig,
  type Config,
  type ConfigDefinition,
  ConfigError,
  defaultDataDir,
  defineConfig,
  loadConfig,
} from './config.ts';
export { connectTransport, type MessageTransport } from './connect-transport.ts';
export { Connection, type ConnectionOptions } from './connection.ts';
export type { Content, PromptMessage, ResourceContents, ToolResult } from './content.ts';
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
export { type AtollServer, createServer, type ServerOptions } from './create-server.ts';
export { type FolderUse, folderProblem } from './data-folder.ts';
export { type ContractDescription, describeContract } from './describe-contract.ts';
export { type Envelope, plain, type ToolCall } from './envelope.ts';
export { ToolError, type ToolErrorOptions } from './errors.ts';
export { bearerOf, isSameToken } from './http/auth.ts';
export { inUrl } from './http/guard.ts';
export type { Authenticate, AuthRefusal, HttpExtras, HttpServeOptions, HttpServer } from './http/options.ts';
export { HttpRefusal } from './http/refusal.ts';
export type { HttpRoute, RouteContext } from './http/route.ts';
export { checkBind, serveHttp } from './http/serve-http.ts';
export { createLogger, type Logger, type LogLevel, silentLogger } from './logger.ts';
export { PackedList, SPECIAL_NUMBERS } from './numbers/packed-list.ts';
export { answerText, parsedResult, RawResult } from './raw-result.ts';
export { type Command, type Program, runCli } from './run-cli.ts';
export { Slots } from './slots.ts';
export { safeToolName, type ToolNames } from './tool-names.ts';
export { unchecked } from './unchecked.ts';
export { inputSchemaOf, type JsonSchema, outputSchemaOf, toJsonSchema } from './wire-schema.ts';
export { withDeadline } from './with-deadline.ts';
