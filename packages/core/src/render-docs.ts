import type { ContractDescription } from './describe-contract.ts';

type Section = 'tools' | 'config';

/** Puts the generated tables between their markers; everything else in the text stays. */
export function renderDocs(readme: string, contract: ContractDescription): string {
  return replaceSection(replaceSection(readme, 'tools', toolsTable(contract)), 'config', configTable(contract));
}

function replaceSection(text: string, section: Section, table: string): string {
  const begin = `<!-- generated:${section} -->`;
  const end = `<!-- /generated:${section} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`README.md has no "${begin}" and "${end}" around its ${section} table`);
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}

function toolsTable({ tools, resources, prompts }: ContractDescription): string {
  const rows = tools.map(({ name, description, inputSchema, errors }) => {
    const codes = errors.map((code) => `\`${code}\``).join(' ');
    return `| \`${name}\` | ${cell(description)} | ${argumentsOf(inputSchema)} | ${codes || '–'} |`;
  });
  const parts = [['| Tool | What it does | Arguments | Errors |', '| --- | --- | --- | --- |', ...rows].join('\n')];
  if (resources.length > 0) {
    const lines = resources.map(({ uriTemplate, description }) => `| \`${uriTemplate}\` | ${cell(description)} |`);
    parts.push(['| Resource | What it holds |', '| --- | --- |', ...lines].join('\n'));
  }
  if (prompts.length > 0) {
    const lines = prompts.map(({ name, description }) => `| \`${name}\` | ${cell(description)} |`);
    parts.push(['| Prompt | What it asks for |', '| --- | --- |', ...lines].join('\n'));
  }
  return parts.join('\n\n');
}

function argumentsOf(schema: Record<string, unknown>): string {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const names = Object.keys((schema.properties as object | undefined) ?? {});
  return names.map((name) => `\`${name}${required.has(name) ? '' : '?'}\``).join(', ') || '–';
}

function configTable({ config = [] }: ContractDescription): string {
  const rows = config.map(({ flag, env, description, choices, default: value }) => {
    const meaning = choices ? `${description} (${choices.join(', ')})` : description;
    return `| ${flag ? `\`${flag}\`` : '–'} | ${env.map((name) => `\`${name}\``).join(' ')} | ${value === undefined ? '–' : cell(value)} | ${cell(meaning)} |`;
  });
  return ['| Flag | Environment | Default | Meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
