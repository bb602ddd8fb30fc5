import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger, RequestContext } from '@atoll-mcp/core';
import type { Outcome } from '../metrics/call-metrics.ts';
import { redact } from './redact.ts';

interface AuditedCall {
  readonly context: RequestContext;
  readonly upstream: string;
  readonly tool: string;
  readonly args: unknown;
  readonly outcome: Outcome;
  readonly code?: number | undefined;
  readonly ms: number;
}

/** One JSON line per call: caller, tool, duration, outcome. Arguments only if enabled and with secrets redacted. */
export class AuditLog {
  readonly #stream: WriteStream;
  readonly #withArguments: boolean;

  constructor(options: { file: string; withArguments: boolean; log: Logger }) {
    mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 });
    this.#withArguments = options.withArguments;
    this.#stream = createWriteStream(options.file, { flags: 'a', mode: 0o600 });
    this.#stream.on('error', (error) => options.log.error('audit log failed', { error }));
  }

  write({ context, upstream, tool, args, outcome, code, ms }: AuditedCall): void {
    const { principal, client, path, session, era } = context;
    const line = {
      time: new Date().toISOString(),
      caller: principal?.id ?? client.id,
      client: client.name,
      session: session?.id,
      view: path,
      era,
      upstream,
      tool,
      outcome,
      code,
      ms: Math.round(ms * 10) / 10,
      ...(this.#withArguments && { arguments: redact(args) }),
    };
    this.#stream.write(`${JSON.stringify(line)}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#stream.end(resolve));
  }
}
