import type { Logger, LogLevel } from '@atoll-mcp/core';
import { type DestinationStream, destination, pino } from 'pino';

const SECRETS = ['authorization', 'token', 'authToken', 'apiKey', 'password', 'secret', 'cookie'];

export function createLogger(options: { name: string; level?: LogLevel; stream?: DestinationStream }): Logger {
  const logger = pino(
    {
      name: options.name,
      level: options.level ?? 'info',
      base: { name: options.name },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRETS.flatMap((key) => [key, `*.${key}`]), censor: '[redacted]' },
      serializers: { error: pino.stdSerializers.err },
    },
    // Written at once: the line that explains a crash must be out before the process is.
    options.stream ?? destination({ fd: 2, sync: true }),
  );
  const write = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) =>
    logger[level](fields ?? {}, message);
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
