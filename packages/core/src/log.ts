export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** A fixed phrase and its facts. One JSON object per line on stderr. */
export interface Logger {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

/** For libraries and tests that want no output. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
