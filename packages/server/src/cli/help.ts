import type { ConfigDefinition } from '../config/config.ts';

export interface CommandHelp {
  readonly usage: string;
  readonly summary: string;
}

/** What `--help` prints: the commands, then every setting once. */
export function helpText(
  definition: ConfigDefinition,
  about: { description: string; commands?: Readonly<Record<string, CommandHelp>> },
): string {
  const commands = Object.values(about.commands ?? {}).map(
    ({ usage, summary }) => [`${definition.program} ${usage}`, summary] as const,
  );
  const flags = definition.fields
    .filter(({ flag }) => flag)
    .map(({ flag, kind, choices, description, defaultText }) => {
      const value = kind === 'boolean' ? '' : ` ${choices ? choices.join('|') : kind === 'number' ? 'N' : 'VALUE'}`;
      const more = kind === 'list' ? '; may be given more than once' : '';
      const fallback = defaultText === undefined || kind === 'boolean' ? '' : ` (default: ${defaultText})`;
      return [`--${flag}${value}`, `${description}${more}${fallback}`] as const;
    });
  const always = [
    ['--config FILE', 'JSON or YAML with the same settings'],
    ['--help', 'Print this and exit'],
    ['--version', 'Print the version and exit'],
  ] as const;
  return [
    about.description,
    '',
    'Usage:',
    ...columns([
      [`${definition.program} [flags]`, 'MCP over stdio'],
      [`${definition.program} --http [flags]`, 'MCP over Streamable HTTP at /mcp'],
      ...commands,
    ]),
    '',
    'Flags:',
    ...columns([...flags, ...always]),
    '',
    `Every flag is also an environment variable: ${definition.prefix}_ and its name in capitals (${definition.prefix}_PORT).`,
    'Flags win over the environment, the environment over the config file.',
    '',
  ].join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.min(40, Math.max(...rows.map(([left]) => left.length)));
  return rows.map(([left, right]) =>
    left.length > width ? `  ${left}\n  ${' '.repeat(width)}  ${right}` : `  ${left.padEnd(width)}  ${right}`,
  );
}
