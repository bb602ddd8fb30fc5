import type { Logger } from '../logger.ts';
import type { HttpRoute } from './route.ts';

export interface HttpServeOptions {
  readonly host: string;
  readonly port: number;
  readonly maxBodyBytes: number;
  readonly log: Logger;
  readonly routes?: readonly HttpRoute[];
  readonly authToken?: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

export interface HttpServer {
  /** Where `/mcp` is, with the port that was really taken. */
  readonly url: string;
  /** No new work; ten seconds for work under way. */
  close(): Promise<void>;
}
