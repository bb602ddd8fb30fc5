export { type Command, type Program, runCli } from './cli/run-cli.ts';
export { type ContractClient, clientFor, ToolCallError } from './client/client-for.ts';
export {
  type CommonConfig,
  type Config,
  type ConfigDefinition,
  ConfigError,
  defaultDataDir,
  defineConfig,
  loadConfig,
  sharedFields,
} from './config/config.ts';
export { type FolderUse, folderProblem } from './config/data-folder.ts';
export { withoutComments } from './config/without-comments.ts';
export { type AtollServer, createServer, type ServerOptions, type ServiceOf } from './create-server.ts';
export { type ContractDescription, describeContract, describeField } from './docs/describe-contract.ts';
export { settingsTable } from './docs/render-docs.ts';
export { bearerOf, isSameToken } from './http/auth.ts';
export { DataFolder, withFolderProblem } from './http/folder-health.ts';
export { formatHost } from './http/guard.ts';
export type { Authenticate, AuthRefusal, HttpExtras, HttpServeOptions, HttpServer } from './http/options.ts';
export { HttpRefusal } from './http/refusal.ts';
export type { HttpRoute, RouteContext } from './http/route.ts';
export { checkBind, serveHttp } from './http/serve-http.ts';
export { createLogger } from './logger.ts';
export type { ServiceLifecycle, ServiceSource } from './service-source.ts';
export { connectTransport, type MessageTransport } from './stdio/connect-transport.ts';
export { type ConnectionOptions, McpConnection } from './stdio/mcp-connection.ts';
