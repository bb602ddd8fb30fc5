import type { ContractDescription } from './describe-contract.ts';

/** The snapshots that reviewers read: one file per tool, and one for what belongs to no tool. */
export function contractFiles({ tools, ...rest }: ContractDescription): Record<string, string> {
  const files: Record<string, string> = { 'contract/_server.json': asJson(rest) };
  for (const tool of tools) files[`contract/${tool.name.replaceAll('.', '-')}.json`] = asJson(tool);
  return files;
}

export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
