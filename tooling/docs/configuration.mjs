// Writes docs/configuration.md from the settings that all programs share, or with --check says that it is stale.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeField, settingsTable, sharedFields } from '../../packages/server/dist/index.js';
import { packageFolders, readJson, root } from '../workspace.mjs';

const target = join(root, 'docs/configuration.md');
const programs = packageFolders()
  .filter((folder) => existsSync(join(root, folder, 'contract/_server.json')))
  .map((folder) => ({
    ...readJson(`${folder}/contract/_server.json`),
    bin: Object.keys(readJson(`${folder}/package.json`).bin)[0],
  }));
const portOf = ({ config }) => config.find(({ key }) => key === 'port');
const text = `# Configuration

Every program takes its settings from flags, from environment variables and from a JSON or YAML file given by \`--config\`. Flags win over
variables, variables over the file, the file over defaults. A bad configuration prints every problem on stderr and ends with exit code 2.

The variable of a flag is the program's prefix and the flag in capitals: \`--data-dir\` of memorylake is \`MEMORYLAKE_DATA_DIR\`. In a file the
names are in camel case: \`dataDir\`.

| Program | Prefix | Port |
| --- | --- | --- |
${programs.map((program) => `| \`${program.bin}\` | \`${portOf(program).env[0].replace(/PORT$/, '')}\` | ${portOf(program).default} |`).join('\n')}

## Settings that all programs share

${settingsTable(sharedFields.map((field) => describeField(field.key === 'port' ? { ...field, defaultText: 'see above' } : field)))}

Each package's README lists its own settings; \`--help\` shows all of them.

## Limit callers to collections of the lake

In the configuration of \`atoll\`, \`collections\` of a token or of a view names the only collections of the built-in memorylake that its callers can
list, search, read, query, compute on and write:

\`\`\`json
{
  "views": { "accounting": { "servers": ["memorylake"], "collections": ["invoices"] } },
  "tokens": [
    { "name": "ada", "token": "\${ADA_TOKEN}", "collections": ["invoices", "orders"] },
    { "name": "bot", "token": "\${BOT_TOKEN}", "views": ["accounting"] }
  ]
}
\`\`\`

A caller in a view can use the collections that both its token and the view allow. A view limits only callers that cannot open another view, so list
its \`views\` in their tokens. What is added without a collection goes into the allowed one if there is only one. A lake under \`mcpServers\` is not limited.
`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  console.error('docs/configuration.md is stale; run "pnpm run docs"');
  process.exitCode = 1;
}
