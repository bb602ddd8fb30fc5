import type { ContractDescription } from './describe-contract.ts';

type Section = 'tools' | 'config';

const REFERENCE = '../../docs/reference.md';
const SHARED_SETTINGS = '../../docs/configuration.md';

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

/** Arguments, answers and errors are in the reference; a table with them is wider than a screen. */
function toolsTable({ tools, resources, prompts }: ContractDescription): string {
  const link = (name: string) => `[\`${name}\`](${REFERENCE}#${name.replaceAll('.', '')})`;
  const parts = [
    markdownTable(
      ['Tool', 'What it does'],
      tools.map(({ name, description }) => [link(name), firstSentence(description)]),
    ),
  ];
  if (resources.length > 0) {
    const lines = resources.map(({ uriTemplate, description }) => [`\`${uriTemplate}\``, description]);
    parts.push(markdownTable(['Resource', 'What it holds'], lines));
  }
  if (prompts.length > 0) {
    const lines = prompts.map(({ name, description }) => [`\`${name}\``, description]);
    parts.push(markdownTable(['Prompt', 'What it asks for'], lines));
  }
  return parts.join('\n\n');
}

function configTable({ config = [] }: ContractDescription): string {
  const own = config.filter(({ shared }) => !shared);
  const shared = `[settings that all programs share](${SHARED_SETTINGS})`;
  return own.length === 0 ? `It has the ${shared}.` : `Beside the ${shared}:\n\n${settingsTable(own)}`;
}

export type Setting = NonNullable<ContractDescription['config']>[number];

/** One setting a row: its flag, or its variable where it has no flag. */
export function settingsTable(settings: readonly Setting[]): string {
  const rows = settings.map(({ flag, env, description, choices, default: value }) => [
    `\`${flag ?? env[0]}\`${extraNames(env)}`,
    value ?? '–',
    choices ? `${description} (${choices.join(', ')})` : description,
  ]);
  return markdownTable(['Setting', 'Default', 'Meaning'], rows);
}

/** Variables follow from the flag, but for the ones that are named otherwise. */
function extraNames([, ...others]: readonly string[]): string {
  return others.map((name) => ` \`${name}\``).join('');
}

function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.map(cell).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A full stop inside `code`, a number or a file name does not end a sentence. */
function firstSentence(text: string): string {
  return /^(?:`[^`]*`|[^`])*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
}
