// Writes docs/reference.md from every contract.json, or with --check says that it is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, readJson, root } from '../workspace.mjs';

const target = join(root, 'docs/reference.md');
const contracts = packageFolders()
  .filter((folder) => existsSync(join(root, folder, 'contract.json')))
  .map((folder) => ({ folder, ...readJson(`${folder}/contract.json`) }));
const text = `${[
  '# Reference',
  'Every tool of every server, made from their contracts by `pnpm run docs`. Full schemas, of answers too, are in the `contract/` folder of each package.',
  contracts.map(({ name, title }) => `- [${title}](#${anchorOf(title)}) (\`${name}\`)`).join('\n'),
  ...contracts.flatMap(server),
].join('\n\n')}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('docs/reference.md is stale; run "pnpm run docs"');
  process.exitCode = 1;
}

function server({ folder, title, description, instructions, tools, resources = [], prompts = [] }) {
  return [
    `## ${title}`,
    `${description}. [README](../${folder}/README.md)`,
    ...(instructions ? [`> ${instructions}`] : []),
    ...tools.flatMap(tool),
    ...(resources.length > 0
      ? [`### Resources of ${title}`, list(resources, ({ uri, uriTemplate }) => uri ?? uriTemplate)]
      : []),
    ...(prompts.length > 0 ? [`### Prompts of ${title}`, list(prompts, ({ name }) => name)] : []),
  ];
}

function tool({ name, title, description, annotations, errors, optIn, inputSchema }) {
  const { properties = {}, required = [] } = inputSchema;
  const rows = Object.entries(properties).map(([key, schema]) =>
    row([
      `\`${key}\``,
      typeOf(schema),
      required.includes(key) ? 'required' : defaultOf(schema),
      schema.description ?? '',
    ]),
  );
  return [
    `### \`${name}\``,
    `**${title}.** ${description}`,
    ...(rows.length > 0
      ? [[row(['Argument', 'Type', 'Default', 'Meaning']), row(['---', '---', '---', '---']), ...rows].join('\n')]
      : []),
    [
      hintsOf(annotations),
      ...(optIn ? ['Listed only if the configuration asks for it.'] : []),
      ...(errors.length > 0 ? [`Errors: ${errors.map((code) => `\`${code}\``).join(', ')}.`] : []),
    ].join(' '),
  ];
}

function list(entries, nameOf) {
  return entries.map((entry) => `- \`${nameOf(entry)}\`: ${entry.description ?? entry.title ?? ''}`).join('\n');
}

function hintsOf({ readOnlyHint, destructiveHint, idempotentHint, openWorldHint }) {
  const effect = readOnlyHint ? 'Reads only' : destructiveHint ? 'May destroy' : 'Writes, destroys nothing';
  return `${effect}${idempotentHint && !readOnlyHint ? '; the same call twice is as good as once' : ''}${openWorldHint ? '; reaches beyond this server' : ''}.`;
}

function typeOf(schema) {
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' \\| ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(' \\| ');
  if (Array.isArray(schema.type)) return schema.type.join(' \\| ');
  if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
  return schema.type ?? 'anything';
}

function defaultOf(schema) {
  return schema.default === undefined || schema.default === null ? '' : `\`${JSON.stringify(schema.default)}\``;
}

function row(cells) {
  return `| ${cells.map((cell) => cell.replaceAll('\n', ' ').replace(/(?<!\\)\|/g, '\\|')).join(' | ')} |`;
}

function anchorOf(title) {
  return title.toLowerCase().replaceAll(' ', '-');
}
