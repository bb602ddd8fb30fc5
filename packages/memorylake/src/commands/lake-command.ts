import { type Logger, ToolError } from '@atoll-mcp/core';
import type { Command, CommonConfig } from '@atoll-mcp/server';
import type { MemoryLakeConfig } from '../config.ts';
import { cleanTags } from '../domain/organise/memory-filter.ts';
import { openLake } from '../server.ts';
import type { MemoryRecord } from '../service/memory-record.ts';
import type { MemoryLakeService } from '../service.ts';
import { reportProblem } from './report-problem.ts';

type OwnConfig = Omit<MemoryLakeConfig, keyof CommonConfig>;
export type LakeCommand = Command<OwnConfig>;

interface LakeCall {
  readonly lake: MemoryLakeService;
  readonly words: readonly string[];
  readonly flag: (name: string) => boolean;
  /** All values given for a flag, in order. */
  readonly values: (name: string) => string[];
  readonly log: Logger;
}

interface LakeCommandOptions {
  readonly flags?: readonly string[];
  readonly minWords?: number;
  readonly embed?: boolean;
  readonly readsOnly?: boolean;
  /** Runs before the lake is opened. */
  readonly prepare?: (call: Pick<LakeCall, 'flag'> & { readonly config: MemoryLakeConfig }) => Promise<void>;
}

/** A command on an open lake; the lake is closed afterwards, also after an error. */
export function lakeCommand(
  usage: string,
  summary: string,
  options: LakeCommandOptions,
  run: (call: LakeCall) => Promise<number>,
): LakeCommand {
  return {
    usage,
    summary,
    flags: ['json', ...(options.flags ?? [])],
    usesDataDir: options.readsOnly ? 'read' : 'write',
    async run({ words, argv, config, log }) {
      if (words.length < (options.minWords ?? 0)) {
        process.stderr.write(`memorylake ${usage}\n`);
        return 2;
      }
      const flag = (name: string) => argv.includes(`--${name}`);
      try {
        await options.prepare?.({ config, flag });
        // No logger: a command prints what it does.
        const lake = await openLake({ ...config, embed: config.embed && options.embed !== false }, {});
        return await run({ lake, words, flag, values: valuesIn(argv), log }).finally(() => lake.close());
      } catch (error) {
        return reportProblem(error, flag('json'));
      }
    },
  };
}

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** A memory as `--json` shows it. */
export const shown = (memory: MemoryRecord) => ({
  id: memory.id,
  name: memory.name,
  type: memory.type,
  status: memory.status,
  ...(memory.collection !== undefined && { collection: memory.collection }),
  ...(memory.tags && memory.tags.length > 0 && { tags: memory.tags }),
  ...(memory.reason !== null && { reason: memory.reason }),
});

/** A file that was not added, as `--json` shows it. */
export const notAdded = (name: string, reason: string) => ({
  id: null,
  name,
  type: null,
  status: 'failed' as const,
  reason,
});

/** Why one file was rejected. Other errors, such as a failing store, concern all files and are thrown on. */
export function refusalOf(error: unknown): string {
  if (error instanceof ToolError) return error.message;
  throw error;
}

export const lineFor = (memory: MemoryRecord): string => {
  const { id, name, status, reason, chunks } = memory;
  return status === 'failed'
    ? failedLine(name, reason)
    : `✓ ${name}  ${id}  ${chunks} ${chunks === 1 ? 'chunk' : 'chunks'}`;
};

export const failedLine = (name: string, reason: string | null): string => `✗ ${name}  ${reason}`;

const valuesIn = (argv: readonly string[]) => (name: string) =>
  argv.flatMap((word, at) => {
    if (word === `--${name}`) return [argv[at + 1]!];
    return word.startsWith(`--${name}=`) ? [word.slice(name.length + 3)] : [];
  });

/** Flags that filter by collection and tags. */
export const FILTER_FLAGS = ['collection=', 'tag='];
export const filterIn = ({ values }: Pick<LakeCall, 'values'>) => ({
  collection: values('collection').at(-1),
  ...(values('tag').length > 0 && { tags: cleanTags(values('tag')) }),
});
