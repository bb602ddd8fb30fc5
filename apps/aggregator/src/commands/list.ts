import { REDACTED } from '../access/redact.ts';
import { redactArgs, redactText } from '../access/redact-settings.ts';
import type { UpstreamConfig } from '../config.ts';
import { BUILTIN_NAMES } from '../upstreams/builtin.ts';
import { kindOf } from '../upstreams/upstream-registry.ts';
import type { FileCommand } from './add.ts';
import { parseWords, print } from './cli-io.ts';

/** Without secrets: user names and passwords of addresses, and what is named or looks like one. */
const shown = ({ url, openapi, command, args }: UpstreamConfig) =>
  (url === undefined && openapi === undefined
    ? [command, ...redactArgs(args)].join(' ')
    : redactText(url ?? openapi ?? '')
  ).replaceAll(`://${REDACTED}@`, '://***@');

export const list: FileCommand = (file) => ({
  usage: 'list [--json]',
  summary: 'List the servers of the configuration',
  flags: ['json'],
  async run({ argv, config }) {
    const builtin = config.builtin
      ? BUILTIN_NAMES.filter((name) => !config.servers || Object.hasOwn(config.servers, name)).map((name) => ({
          name,
          kind: 'in-process',
          target: `@atoll-mcp/${name}`,
          prefix: config.servers?.[name]?.prefix ?? '',
          disabled: config.servers?.[name]?.disabled ?? false,
        }))
      : [];
    const external = Object.entries(config.mcpServers).map(([name, server]) => ({
      name,
      kind: kindOf(server),
      target: shown(server),
      prefix: server.prefix ?? `${name}_`,
      disabled: server.disabled,
    }));
    const servers = [...builtin, ...external];
    if (parseWords(argv, []).flags.has('json')) {
      print(JSON.stringify({ file, servers }));
      return 0;
    }
    const width = Math.max(...servers.map(({ name }) => name.length), 4);
    for (const { name, kind, target, disabled } of servers) {
      print(`${name.padEnd(width)}  ${kind.padEnd(10)}  ${target}${disabled ? '  (disabled)' : ''}`);
    }
    return 0;
  },
});
