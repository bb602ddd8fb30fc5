import type { Command } from '@atoll-mcp/server';
import { type AggregatorConfig, configDefinition } from '../config.ts';
import { print } from './cli-io.ts';

interface Flag {
  readonly name: string;
  readonly about: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface CommandWords {
  readonly name: string;
  readonly summary: string;
  /** Fixed choices of its argument. */
  readonly choices: readonly string[];
}

interface Known {
  readonly commands: readonly CommandWords[];
  readonly flags: readonly Flag[];
}

const SHELLS: Readonly<Record<string, (known: Known) => string>> = { bash, zsh, fish };

/** Generated from the same data as `--help`. */
export function completions(
  others: Readonly<Record<string, { readonly usage: string; readonly summary: string }>>,
): Command<AggregatorConfig> {
  const facts = {
    usage: `completions ${Object.keys(SHELLS).join('|')}`,
    summary: 'Print a shell completion script',
  };
  return {
    ...facts,
    async run({ words }) {
      const name = words[0] ?? '';
      const shell = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
      if (!shell) {
        console.error(`Unknown shell; choose one of ${Object.keys(SHELLS).join(', ')}`);
        return 2;
      }
      const commands = Object.entries({ ...others, completions: facts }).map(([name, { usage, summary }]) => ({
        name,
        summary,
        choices: choicesIn(usage),
      }));
      print(shell({ commands, flags: flags() }));
      return 0;
    },
  };
}

/** `install cursor|vscode [--yes]` → `cursor`, `vscode` */
function choicesIn(usage: string): readonly string[] {
  const next = usage.split(' ')[1] ?? '';
  return next.includes('|') ? next.split('|') : [];
}

function flags(): Flag[] {
  const own = configDefinition.fields.flatMap(({ flag, description, kind, choices }) =>
    flag ? [{ name: flag, about: description, takesValue: kind !== 'boolean', choices: choices ?? [] }] : [],
  );
  return [
    ...own,
    { name: 'config', about: 'JSON or YAML with the same settings', takesValue: true, choices: [] },
    { name: 'help', about: 'Print help and exit', takesValue: false, choices: [] },
    { name: 'version', about: 'Print the version and exit', takesValue: false, choices: [] },
  ];
}

function bash({ commands, flags }: Known): string {
  const choices = [...flags.map((flag) => ({ ...flag, name: `--${flag.name}` })), ...commands].filter(
    ({ choices }) => choices.length > 0,
  );
  return [
    '_atoll() {',
    '  local word=$2 before=$3 words',
    '  case $before in',
    ...choices.map(({ name, choices }) => `    ${name}) words='${choices.join(' ')}' ;;`),
    `    *) case $word in -*) words='${flags.map(({ name }) => `--${name}`).join(' ')}' ;; *) words='${commands.map(({ name }) => name).join(' ')}' ;; esac ;;`,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
    '}',
    'complete -o default -F _atoll atoll',
  ].join('\n');
}

function zsh({ commands, flags }: Known): string {
  const flagLines = flags.map(({ name, about, takesValue, choices }) => {
    const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : takesValue ? ':value:_files' : '';
    return `    ${quoted(`--${name}[${about.replace(/[[\]:]/g, ' ')}]${value}`)}`;
  });
  const commandWords = commands.map(({ name, summary }) => quoted(`${name}:${summary}`)).join(' ');
  return [
    '#compdef atoll',
    '_atoll() {',
    '  local state',
    `  local -a commands=(${commandWords})`,
    '  _arguments \\',
    ...flagLines.map((line) => `${line} \\`),
    "    '1: :{_describe command commands}' '*:: :->next'",
    '  case $words[1] in',
    ...commands
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => `    ${name}) compadd ${choices.join(' ')} ;;`),
    '    *) _files ;;',
    '  esac',
    '}',
    'compdef _atoll atoll',
  ].join('\n');
}

function fish({ commands, flags }: Known): string {
  return [
    ...commands.map(
      ({ name, summary }) => `complete -c atoll -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ),
    ...flags.map(({ name, about, takesValue, choices }) => {
      const values = choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takesValue ? ' -r' : '';
      return `complete -c atoll -l ${name} -d ${quoted(about)}${values}`;
    }),
    ...commands
      .filter(({ choices }) => choices.length > 0)
      .map(({ name, choices }) => {
        const isFollowed = quoted(`__fish_seen_subcommand_from ${name}`);
        return `complete -c atoll -n ${isFollowed} -f -a ${quoted(choices.join(' '))}`;
      }),
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", '’')}'`;
}
