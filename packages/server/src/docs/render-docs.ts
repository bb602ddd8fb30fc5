import type { ContractDescription } from './describe-contract.ts';

/** `tools:short` has titles only, for servers with many tools; the reference has the rest. */
type Section = 'tools' | 'tools:short' | 'config';

/** Puts the generated tables between their markers; everything else in the text stays. */
export function renderDocs(readme: string, contract: ContractDescription): string {
  const tools = readme.includes('<!-- generated:tools:short -->')
    ? replaceSection(readme, 'tools:short', shortToolsTable(contract))
    : replaceSection(readme, 'tools', toolsTable(contract));
  return replaceSection(tools, 'config', configTable(contract));
}

function replaceSection(text: string, section: Section, table: string): string {
  const begin = `<!-- generated:${section} -->`;
  const end = `<!-- /generated:${section} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from === -1 || to < from) throw new Error(`README.md has no "${begin}" and "${end}" around its ${section} table`);
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}

function shortToolsTable({ tools }: ContractDescription): string {
  return table(
    ['Tool', 'What it does'],
    tools.map(({ name, title }) => [`\`${name}\``, title]),
  );
}

function toolsTable({ tools, resources, prompts }: ContractDescription): string {
  const rows = tools.map(({ name, description, inputSchema, errors }) => {
    const codes = errors.map((code) => `\`${code}\``).join(' ');
    return [`\`${name}\``, description, argumentsOf(inputSchema), codes || '–'];
  });
  const parts = [table(['Tool', 'What it does', 'Arguments', 'Errors'], rows)];
  if (resources.length > 0) {
    const lines = resources.map(({ uriTemplate, description }) => [`\`${uriTemplate}\``, description]);
    parts.push(table(['Resource', 'What it holds'], lines));
  }
  if (prompts.length > 0) {
    const lines = prompts.map(({ name, description }) => [`\`${name}\``, description]);
    parts.push(table(['Prompt', 'What it asks for'], lines));
  }
  return parts.join('\n\n');
}

/** Padded as the formatter does it, so that formatting a README never makes it stale. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [titles, ...rows].map((row) => row.map(cell));
  const widths = titles.map((_, column) => Math.max(3, ...cells.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((text, column) => text.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...body] = cells.map(line);
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

function argumentsOf(schema: Record<string, unknown>): string {
  const required = new Set((schema.required as string[] | undefined) ?? []);
  const names = Object.keys((schema.properties as object | undefined) ?? {});
  return names.map((name) => `\`${name}${required.has(name) ? '' : '?'}\``).join(', ') || '–';
}

function configTable({ config = [] }: ContractDescription): string {
  const rows = config.map(({ flag, env, description, choices, default: value }) => {
    const meaning = choices ? `${description} (${choices.join(', ')})` : description;
    const names = env.map((name) => `\`${name}\``).join(' ');
    return [flag ? `\`${flag}\`` : '–', names, value ?? '–', meaning];
  });
  return table(['Flag', 'Environment', 'Default', 'Meaning'], rows);
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
